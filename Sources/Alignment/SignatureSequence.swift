/// The signatures of all frames of a clip in presentation order, with their times.
public struct SignatureSequence: Hashable, Sendable {
  /// A clip of more frames keeps coarse signatures only: 100 MB for two hours at 24 frames a second.
  public static let mostFineFrames = 32_768
  /// More frames are not taken.
  public static let mostFrames = 1 << 20

  /// The size of the signatures.
  public private(set) var grid: SignatureGrid
  /// `grid.count` values for each frame.
  public private(set) var luma: [UInt8] = []
  /// Presentation times in nanoseconds.
  public private(set) var times: [Int64] = []
  /// Frames per second as the container states them; 0 if it does not.
  public var frameRate: Double
  /// The width of a displayed frame through its height; 0 if unknown.
  public var aspect: Double

  public init(frameRate: Double = 0, aspect: Double = 0, grid: SignatureGrid = .fine) {
    self.frameRate = frameRate
    self.aspect = aspect
    self.grid = grid
  }

  public var count: Int { times.count }

  /// Frames per second where none are missing: by the usual distance of times, which dropped frames do not change. 0 if unknown.
  public var usualFrameRate: Double {
    let intervals = zip(times.dropFirst(), times).map { Double($0) - Double($1) }.filter { $0 > 0 }
    guard intervals.count > 1, intervals.count * 2 > count else { return frameRate }
    let middle = intervals.sorted()[intervals.count / 2]
    // Times are often rounded: the mean is more exact.
    let usual = intervals.filter { abs($0 - middle) < 0.3 * middle }
    return 1e9 * Double(usual.count) / usual.reduce(0, +)
  }

  /// Adds the next frame. Returns false if the sequence is full.
  @discardableResult
  public mutating func append(_ signature: FrameSignature, time: Int64) -> Bool {
    guard count < Self.mostFrames else { return false }
    if grid == .fine, count == Self.mostFineFrames { coarsen() }
    luma += grid == .fine ? signature.luma : signature.coarse
    times.append(time)
    return true
  }

  /// Replaces the signatures by coarse ones.
  public mutating func coarsen() {
    guard grid == .fine else { return }
    let size = SignatureGrid.fine.count
    var coarse: [UInt8] = []
    coarse.reserveCapacity(count * SignatureGrid.coarse.count)
    for i in 0..<count { coarse += FrameSignature(luma: Array(luma[i * size..<(i + 1) * size])).coarse }
    luma = coarse
    grid = .coarse
  }

  init(grid: SignatureGrid, luma: [UInt8], times: [Int64], frameRate: Double, aspect: Double) {
    self.grid = grid
    self.luma = luma
    self.times = times
    self.frameRate = frameRate
    self.aspect = aspect
  }
}
