/// The changes to a candidate's frames that bring them to the reference's form.
public struct CandidateChanges: OptionSet, Hashable, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Turned or mirrored, to the orientation in which the reference is stored.
  public static let turned = CandidateChanges(rawValue: 1 << 0)
  /// Brought to the reference's size, pixel format, matrix or range.
  public static let converted = CandidateChanges(rawValue: 1 << 1)
}
