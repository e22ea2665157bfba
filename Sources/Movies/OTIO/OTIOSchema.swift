/// Names in OpenTimelineIO files.
enum OTIOSchema {
  static let key = "OTIO_SCHEMA"
  /// The metadata key for what the format has no place for.
  static let ownMetadata = "quadrille"
  /// Marks tracks of a kept timeline whose children are in the document; the value identifies them.
  static let role = "quadrille_role"
  /// The number of an overlay's track, counted from 1 above the main track.
  static let layer = "quadrille_layer"

  /// True for an enabled track of sound.
  static func isHeard(_ track: JSONValue) -> Bool {
    name(track) == "Track" && track["kind"]?.text == "Audio" && track["enabled"] != .boolean(false)
  }

  /// The name of an object's schema without its version: "Clip" for "Clip.2". Nil if there is no schema.
  static func name(_ value: JSONValue) -> String? {
    guard let text = value[key]?.text else { return nil }
    switch text.split(separator: ".", omittingEmptySubsequences: false).first {
    // Names in the first versions.
    case "Sequence": return "Track"
    case "Filler": return "Gap"
    case let name: return name.map(String.init)
    }
  }
}
