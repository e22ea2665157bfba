import Foundation
import TestSupport

/// The public declarations of `Playback`, as the compiler tells them of the module that the tests were built with.
struct PublicAPI {
  /// One public declaration.
  struct Symbol {
    /// With the types that it is in: "Player.step(byCount:)".
    var name: String
    /// As in Swift, in one line; a type with what it conforms to.
    var declaration: String
    /// The file that it is declared in, from the package's folder on.
    var file: String
    var hasComment: Bool
    /// The modules whose types occur in it.
    var modules: Set<String>
  }

  let symbols: [Symbol]

  init() throws {
    let build = try PackageFolder.products()
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("symbols-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try MediaTool.run(
      "swift",
      [
        "symbolgraph-extract", "-module-name", "Playback", "-minimum-access-level", "public",
        "-skip-synthesized-members", "-target", Self.target, "-output-dir", folder.path,
        "-I", build.appendingPathComponent("Modules").path,
        "-I", Self.root + "Sources/CFFmpeg", "-I", Self.root + "Sources/CAreaShrink/include",
        "-Xcc", "-fmodule-map-file=" + build.appendingPathComponent("CAreaShrink.build/module.modulemap").path,
      ])
    let graph = try JSONDecoder().decode(
      Graph.self, from: Data(contentsOf: folder.appendingPathComponent("Playback.symbols.json")))
    symbols = graph.symbols.compactMap { Self.symbol($0, graph) }
  }

  /// One declaration a line, sorted.
  var listing: String {
    symbols.map { "\($0.name): \($0.declaration)\n" }.sorted().joined()
  }

  private static let root = PackageFolder.root.path + "/"

  private static var target: String {
    #if arch(arm64)
      "aarch64-unknown-linux-gnu"
    #else
      "x86_64-unknown-linux-gnu"
    #endif
  }

  /// Nil for what the compiler makes itself.
  private static func symbol(_ symbol: Graph.Symbol, _ graph: Graph) -> Symbol? {
    guard let place = symbol.location?.uri else { return nil }
    let path = place.replacingOccurrences(of: "file://", with: "")
    let text = symbol.declarationFragments.map(\.spelling).joined()
      .split { $0.isWhitespace }.joined(separator: " ")
    let conformances = graph.conformances(of: symbol.identifier.precise)
    let isType = ["swift.struct", "swift.class", "swift.enum"].contains(symbol.kind.identifier)
    return Symbol(
      name: symbol.pathComponents.joined(separator: "."),
      declaration: isType && !conformances.isEmpty ? "\(text) : \(conformances.joined(separator: ", "))" : text,
      file: path.hasPrefix(root) ? String(path.dropFirst(root.count)) : path,
      hasComment: symbol.docComment != nil,
      modules: Set(symbol.declarationFragments.compactMap { $0.preciseIdentifier.flatMap(module) }))
  }

  /// The module of a mangled name: "s:5Libav5RatioV" is of `Libav`.
  private static func module(_ mangled: String) -> String? {
    guard mangled.hasPrefix("s:") else { return nil }
    let name = mangled.dropFirst(2)
    let digits = name.prefix { $0.isNumber }
    guard let length = Int(digits) else { return nil }
    return String(name.dropFirst(digits.count).prefix(length))
  }
}

/// What `swift symbolgraph-extract` writes, as far as it is looked at.
private struct Graph: Decodable {
  struct Symbol: Decodable {
    struct Identifier: Decodable { var precise: String }
    struct Kind: Decodable { var identifier: String }
    struct Location: Decodable { var uri: String }
    struct Comment: Decodable {}
    struct Fragment: Decodable {
      var spelling: String
      var preciseIdentifier: String?
    }

    var identifier: Identifier
    var kind: Kind
    var pathComponents: [String]
    var declarationFragments: [Fragment]
    var location: Location?
    var docComment: Comment?
  }

  struct Relationship: Decodable {
    var kind: String
    var source: String
    var target: String
    var targetFallback: String?
  }

  var symbols: [Symbol]
  var relationships: [Relationship]

  /// What all types are, which differs with the compiler's version.
  private static let ofAllTypes: Set = ["Copyable", "Escapable", "SendableMetatype", "BitwiseCopyable"]

  /// The protocols that a type conforms to, sorted.
  func conformances(of identifier: String) -> [String] {
    let names = relationships.filter { $0.kind == "conformsTo" && $0.source == identifier }
      .compactMap { relationship -> String? in
        let name = relationship.targetFallback ?? symbols.first { $0.identifier.precise == relationship.target }
          .map { $0.pathComponents.joined(separator: ".") }
        return name?.split(separator: ".").last.map(String.init)
      }
    return Set(names).subtracting(Self.ofAllTypes).sorted()
  }
}
