import Foundation
import TestSupport

/// The public declarations that come with `import Playback`, or of another module of the package, as the compiler tells them of the modules that the tests were
/// built with: its own, those that it adds to types of others, and the types that it hands on.
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

  /// - Parameter modules: their own declarations, and of `Pixels` those that `Playback` hands on.
  init(of modules: [String] = ["Playback", "Pixels"]) throws {
    let build = try PackageFolder.products()
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("symbols-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var graph = Graph()
    for module in modules {
      try Self.extract(module, into: folder, build)
    }
    let handedOn = try Self.handedOn()
    for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    where file.lastPathComponent.hasSuffix(".symbols.json") {
      var part = try JSONDecoder().decode(Graph.self, from: Data(contentsOf: file))
      // What is added to another module's types has a file of its own, such as "Playback@Pixels.symbols.json".
      if file.lastPathComponent.hasPrefix("Pixels") { part.symbols.removeAll { !handedOn.contains($0.pathComponents[0]) } }
      graph.symbols += part.symbols
      graph.relationships += part.relationships
    }
    symbols = graph.symbols.compactMap { Self.symbol($0, graph) }
  }

  private static func extract(_ module: String, into folder: URL, _ build: URL) throws {
    // The modules of C that it is built on: those with a map of their own, and those that the build makes one for.
    let modules = try FileManager.default.contentsOfDirectory(atPath: root + "Sources")
      .filter { FileManager.default.fileExists(atPath: root + "Sources/\($0)/module.modulemap") }
      .flatMap { ["-I", root + "Sources/" + $0] }
    try MediaTool.run(
      "swift",
      [
        "symbolgraph-extract", "-module-name", module, "-minimum-access-level", "public",
        "-skip-synthesized-members", "-target", target, "-output-dir", folder.path,
        "-I", build.appendingPathComponent("Modules").path,
      ] + modules
        + ["CPixelLoops", "CPulse", "CALSA"].flatMap {
          [
            "-I", root + "Sources/\($0)/include",
            "-Xcc", "-fmodule-map-file=" + build.appendingPathComponent("\($0).build/module.modulemap").path,
          ]
        })
  }

  /// The types of `Pixels` that `Playback` hands on.
  private static func handedOn() throws -> Set<String> {
    Set(
      try PackageFolder.text(of: "Sources/Playback/Reexports.swift").split(separator: "\n")
        .filter { $0.hasPrefix("@_exported import") }
        .compactMap { $0.split(separator: ".").last.map(String.init) })
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

/// The output of `swift symbolgraph-extract`, as far as it is used.
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

  var symbols: [Symbol] = []
  var relationships: [Relationship] = []

  /// The protocols of all types, which differ with the compiler's version.
  private static let ofAllTypes: Set = ["Copyable", "Escapable", "SendableMetatype", "BitwiseCopyable"]

  /// Returns the protocols that a type conforms to, sorted.
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
