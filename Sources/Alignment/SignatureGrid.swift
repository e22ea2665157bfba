/// The size of the small pictures that stand for frames.
public enum SignatureGrid: UInt8, CaseIterable, Sendable {
  /// 32 × 18: enough to find a frame.
  case coarse = 1
  /// 64 × 36: shows small things too, and where in the reference a cropped frame lies.
  case fine = 2

  public var width: Int { 32 * Int(rawValue) }
  public var height: Int { 18 * Int(rawValue) }
  public var count: Int { width * height }
}
