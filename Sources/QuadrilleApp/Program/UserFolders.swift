/// The program's folders in the home of its user.
enum UserFolders {
  /// For indexes of clips; nil where there is no home.
  static func index(_ environment: [String: String]) -> String? {
    if let folder = environment["XDG_CACHE_HOME"], folder.hasPrefix("/") { return folder + "/quadrille/index" }
    return environment["HOME"].map { $0 + "/.cache/quadrille/index" }
  }

  /// The file of what was typed into prompts; nil where there is no home.
  static func history(_ environment: [String: String]) -> String? {
    if let folder = environment["XDG_STATE_HOME"], folder.hasPrefix("/") { return folder + "/quadrille/history" }
    return environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 + "/.local/state/quadrille/history" : nil }
  }
}
