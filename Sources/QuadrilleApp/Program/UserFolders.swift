/// The program's files in the folders of its user.
enum UserFolders {
  /// The settings file; nil where there is no home.
  static func settings(_ environment: [String: String]) -> String? {
    path("settings.yaml", "XDG_CONFIG_HOME", orInHome: ".config", environment)
  }

  /// The folder for indexes of clips, likewise.
  static func index(_ environment: [String: String]) -> String? {
    path("index", "XDG_CACHE_HOME", orInHome: ".cache", environment)
  }

  /// The file of what was typed into prompts, likewise.
  static func history(_ environment: [String: String]) -> String? {
    path("history", "XDG_STATE_HOME", orInHome: ".local/state", environment)
  }

  /// Relative paths are no folders of a user, as the XDG base directory specification says.
  private static func path(
    _ name: String, _ variable: String, orInHome folder: String, _ environment: [String: String]
  ) -> String? {
    if let base = environment[variable], base.hasPrefix("/") { return "\(base)/quadrille/\(name)" }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    return "\(home)/\(folder)/quadrille/\(name)"
  }
}
