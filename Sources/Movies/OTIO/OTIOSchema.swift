/// Words of OpenTimelineIO's files.
enum OTIOSchema {
  static let key = "OTIO_SCHEMA"
  /// Where this program keeps what such files have no place for, in an object's metadata.
  static let ownMetadata = "quadrille"
  /// Marks tracks in a kept timeline whose children are the document's; the value says which.
  static let role = "quadrille_role"
  /// The track that an overlay stood on, counted from 1 over the main one.
  static let layer = "quadrille_layer"

  /// A schema's name without its version: "Clip" of "Clip.2". Nil for what is no object of a schema.
  static func name(_ value: JSONValue) -> String? {
    guard let text = value[key]?.text else { return nil }
    switch text.split(separator: ".", omittingEmptySubsequences: false).first {
    // What they were called in the first versions.
    case "Sequence": return "Track"
    case "Filler": return "Gap"
    case let name: return name.map(String.init)
    }
  }
}
