/// The form of frames that can be measured against each other: their planes' sizes, and the bits of a sample.
public struct MetricForm: Hashable, Sendable, Codable {
  /// The size of a plane, in samples.
  public struct PlaneSize: Hashable, Sendable, Codable {
    public let width, height: Int

    public init(width: Int, height: Int) {
      self.width = width
      self.height = height
    }
  }

  /// The sizes of Y, U and V, or of Y alone.
  public let planes: [PlaneSize]
  /// The bits of a sample, 8 to 16.
  public let depth: Int

  /// The longest side of a plane.
  static let longestSide = 65_535

  /// Throws `MetricError.unusableForm` unless there are one or three planes with samples of 8 to 16 bits, none of which is larger
  /// than the first.
  public init(planes: [PlaneSize], depth: Int) throws(MetricError) {
    guard planes.count == 1 || planes.count == 3, (8...16).contains(depth), let luma = planes.first,
      (1...Self.longestSide).contains(luma.width), (1...Self.longestSide).contains(luma.height),
      planes.allSatisfy({ (1...luma.width).contains($0.width) && (1...luma.height).contains($0.height) })
    else { throw .unusableForm }
    self.planes = planes
    self.depth = depth
  }

  /// The form of a frame. Throws `MetricError.unusableForm` if its planes are not alike.
  public init(of frame: MetricFrame) throws(MetricError) {
    try self.init(
      planes: frame.planes.map { PlaneSize(width: $0.width, height: $0.height) }, depth: frame.planes.first?.depth ?? 0)
    let isSound = frame.planes.allSatisfy { $0.depth == depth && abs($0.stride) >= $0.width * $0.bytesPerSample }
    guard isSound else { throw .unusableForm }
  }

  /// The size of the first plane.
  public var luma: PlaneSize { planes[0] }

  /// The greatest value of a sample.
  public var peak: Int { 1 << depth - 1 }

  var bytesPerSample: Int { depth > 8 ? 2 : 1 }
  var sampleCounts: [Int] { planes.map { $0.width * $0.height } }

  /// Throws unless both frames have this form.
  func check(_ reference: MetricFrame, _ candidate: MetricFrame) throws(MetricError) {
    guard try MetricForm(of: reference) == self, try MetricForm(of: candidate) == self else { throw .anotherForm }
  }
}

/// The reason why frames cannot be measured.
public enum MetricError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Frames without one or three planes of 8 to 16 bits.
  case unusableForm
  /// A frame of another size, depth or chroma format than the meter was made for.
  case anotherForm
  /// Frames with a side shorter than this many samples.
  case tooSmall(shortestSide: Int)

  public var description: String {
    switch self {
    case .unusableForm: "the frames have no planes of 8 to 16 bits to be measured"
    case .anotherForm: "the frames differ in size, depth or chroma format"
    case .tooSmall(let side): "the frames are too small: each side needs \(side) samples"
    }
  }
}
