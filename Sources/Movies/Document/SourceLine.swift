/// The line on which a file tells of something, for errors that come up later.
///
/// All lines are equal: where something is said does not change what is said.
public struct SourceLine: Hashable, Sendable {
  /// From 1; nil where it is not known.
  public var number: Int?

  /// A line by its number.
  public init(_ number: Int? = nil) { self.number = number }

  public static func == (a: SourceLine, b: SourceLine) -> Bool { true }
  public func hash(into hasher: inout Hasher) {}
}
