/// The program's files in the user's folders.
public enum UserFolders {
  /// Path of the settings file; nil if there is no home folder.
  static func settings(_ environment: [String: String]) -> String? {
    path("settings.yaml", "XDG_CONFIG_HOME", orInHome: ".config", environment)
  }

  /// Folder of the clip indexes; nil if there is no home folder.
  static func index(_ environment: [String: String]) -> String? {
    path("index", "XDG_CACHE_HOME", orInHome: ".cache", environment)
  }

  /// Folder of the signatures of clips that were compared; nil if there is no home folder.
  public static func signatures(_ environment: [String: String]) -> String? {
    path("signatures", "XDG_CACHE_HOME", orInHome: ".cache", environment)
  }

  /// Folder of the overviews of clips' sound; nil if there is no home folder.
  static func sound(_ environment: [String: String]) -> String? {
    path("sound", "XDG_CACHE_HOME", orInHome: ".cache", environment)
  }

  /// Path of the input history; nil if there is no home folder.
  static func history(_ environment: [String: String]) -> String? {
    path("history", "XDG_STATE_HOME", orInHome: ".local/state", environment)
  }

  /// Path of the delays of sound devices; nil if there is no home folder.
  static func soundDelays(_ environment: [String: String]) -> String? {
    path("sound-delays", "XDG_STATE_HOME", orInHome: ".local/state", environment)
  }

  /// Path of the frames named as belonging together; nil if there is no home folder.
  public static func syncPoints(_ environment: [String: String]) -> String? {
    path("sync-points.jsonl", "XDG_STATE_HOME", orInHome: ".local/state", environment)
  }

  /// Path of the kind of cells chosen last; nil if there is no home folder.
  static func cells(_ environment: [String: String]) -> String? {
    path("cells", "XDG_STATE_HOME", orInHome: ".local/state", environment)
  }

  /// Relative paths are ignored, as the XDG base directory specification requires.
  private static func path(
    _ name: String, _ variable: String, orInHome folder: String, _ environment: [String: String]
  ) -> String? {
    if let base = environment[variable], base.hasPrefix("/") { return "\(base)/quadrille/\(name)" }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    return "\(home)/\(folder)/quadrille/\(name)"
  }
}
