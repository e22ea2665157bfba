import Libav
import Pixels

/// Frames for a clip with sound and no video: its cover, or else the loudness around the current time.
final class SoundSource: FrameSource {
  let info: SourceInfo
  /// Every frame can be computed, so there is nothing to index.
  let index: FrameIndex? = nil
  private let levels: SoundLevels
  private let cover: Cover?
  /// The number of the next frame.
  private var number = 0
  private var hasGivenFrame = false

  static let framesPerSecond = 25
  private static let lastNumber: Int64 = 1 << 40
  /// The number of levels shown on each side of the current time.
  private static let reach = 2 * SoundLevel.perSecond
  /// The number of levels over which short-term loudness is computed.
  private static let loudnessReach = 3 * SoundLevel.perSecond
  private static let levelsPerFrame = SoundLevel.perSecond / framesPerSecond

  /// - Parameter track: the sound track to show; nil for the preferred one.
  /// - Throws: `PlaybackError` if there is nothing to play, or an error of the layer below.
  init(_ opened: OpenedInput, session: InputSession, facts: AssetFacts, track: AssetTrack? = nil) throws {
    guard let track = track ?? facts.preferredSoundTrack else { throw MovieSource.noVideo(facts) }
    levels = try SoundLevels(opened.demuxer, track: track, startTime: facts.startTime)
    let attached = facts.tracks.first { $0.isCover && $0.isDecodable }
    // A damaged cover is ignored.
    cover = opened.canReopen ? attached.flatMap { try? Cover(session.open().demuxer, track: $0) } : nil
    info = SourceInfo(
      presentationSize: cover?.size ?? SoundFrame.size, duration: track.duration.isNumeric ? track.duration : facts.duration,
      nominalFrameRate: Double(Self.framesPerSecond), codec: track.codec,
      durationIsEstimate: opened.demuxer.durationIsGuess, canSeek: opened.canSeek)
  }

  func seek(to time: MediaTime, options: SeekOptions) throws -> SeekLanding {
    let ticks = time.ticks(
      timeBaseNumerator: 1, timeBaseDenominator: Int32(Self.framesPerSecond), rounding: .towardNegativeInfinity)
    number = Int(min(max(0, ticks ?? 0), Self.lastNumber))
    hasGivenFrame = false
    try levels.approach(range)
    return SeekLanding()
  }

  func rewind() throws {
    number = 0
    hasGivenFrame = false
    try levels.rewind()
  }

  func retainDecoders(within bytes: Int) -> Int { 0 }

  /// The levels of which the next frame is made.
  private var range: Range<Int> {
    let middle = number * Self.levelsPerFrame
    return middle - Self.loudnessReach..<middle + Self.reach
  }

  func decodeNext(discard: DiscardLevel) throws -> DecodeStep {
    guard levels.isKnown(range) else {
      try levels.decode()
      return .progress
    }
    if let end = levels.end, number * Self.levelsPerFrame >= end {
      let last = (end - 1) / Self.levelsPerFrame
      guard !hasGivenFrame, end > 0, number > last else { return .endOfStream(isCutOff: levels.isCutOff) }
      // The file is shorter than announced.
      number = last
      try levels.approach(range)
      return .progress
    }
    let rate = Int32(Self.framesPerSecond)
    let timing = FrameTiming(
      pts: MediaTime(value: Int64(number), timescale: rate), duration: MediaTime(value: 1, timescale: rate), number: number,
      endIsExact: true)
    let levels = levels[range]
    let loudness = Loudness(levels.prefix(Self.loudnessReach))
    let shown = Array(levels.dropFirst(Self.loudnessReach - Self.reach))
    let frame: any SourceFrame = cover.map { CoverFrame($0, timing, loudness) } ?? SoundFrame(shown, timing, loudness)
    number += 1
    hasGivenFrame = true
    return .frame(frame)
  }
}

extension Loudness {
  /// Computes the loudness after levels, of which there are 3 s.
  init(_ levels: some BidirectionalCollection<SoundLevel>) {
    func units(_ levels: some Collection<SoundLevel>) -> Double {
      Self.units(ofPower: levels.reduce(0) { $0 + Double($1.weighted) } / Double(max(1, levels.count)))
    }
    self.init(momentary: units(levels.suffix(SoundLevel.perSecond * 4 / 10)), shortTerm: units(levels))
  }
}

/// A frame that shows the loudness around a time, with the past left of the middle.
private final class SoundFrame: SourceFrame {
  let timing: FrameTiming
  private let levels: [SoundLevel]
  private let loudness: Loudness

  private typealias Color = (red: UInt8, green: UInt8, blue: UInt8)

  static let size = PixelSize(width: 1280, height: 720)
  // All of them are among the 256 terminal colours, so no dithering is necessary.
  private static let ground: Color = (18, 18, 18)
  private static let middle: Color = (238, 238, 238)
  private static let past: (power: Color, peak: Color) = ((95, 175, 255), (0, 95, 135))
  private static let future: (power: Color, peak: Color) = ((158, 158, 158), (78, 78, 78))

  init(_ levels: [SoundLevel], _ timing: FrameTiming, _ loudness: Loudness) {
    (self.levels, self.timing, self.loudness) = (levels, timing, loudness)
  }

  func render(for request: RenderRequest) -> RenderedFrame {
    let columns = columns(request.geometry(ofFrame: Self.size).imageSize.width)
    var frame = RenderedFrame(for: request, size: Self.size, timing: timing) { x, y in color(columns, x, y) }
    frame.loudness = loudness
    return frame
  }

  func still(maximumSize: PixelSize) -> Still {
    let columns = columns(Still.size(of: Self.size, maximum: maximumSize).width)
    return Still(maximumSize: maximumSize, size: Self.size, timing: timing) { x, y in color(columns, x, y) }
  }

  /// Returns the levels of each column of an image, as fractions of its height; quiet sound is raised to be visible.
  private func columns(_ count: Int) -> [SoundLevel] {
    (0..<max(1, count)).map { column in
      let from = column * levels.count / max(1, count), to = max(from + 1, (column + 1) * levels.count / max(1, count))
      let part = levels[min(from, levels.count - 1)..<min(to, levels.count)]
      func height(_ value: Float) -> Float { 0.95 * value.squareRoot() }
      return SoundLevel(peak: height(part.map(\.peak).max() ?? 0), power: height(part.map(\.power).max() ?? 0))
    }
  }

  private func color(_ columns: [SoundLevel], _ x: Double, _ y: Double) -> Color {
    let column = min(columns.count - 1, max(0, Int(x * Double(columns.count))))
    if column == columns.count / 2 { return Self.middle }
    let height = Float(abs(2 * y - 1)), level = columns[column]
    let colors = column < columns.count / 2 ? Self.past : Self.future
    return height <= level.power ? colors.power : height <= level.peak ? colors.peak : Self.ground
  }
}

/// A clip's attached picture.
private final class Cover {
  fileprivate let frame: DecodedFrame
  fileprivate let renderer: FrameRenderer
  /// The frame rendered last. Used only within the steps of one lane, like the renderer.
  fileprivate var made: (request: RenderRequest, frame: RenderedFrame)?
  var size: PixelSize { renderer.presentationSize(of: frame) }

  /// - Throws: `PlaybackError` or an error of the layer below if it cannot be decoded.
  init(_ demuxer: Demuxer, track: AssetTrack) throws {
    renderer = FrameRenderer(track)
    frame = try DecodedFrame()
    let decoder = try Decoder(demuxer: demuxer, stream: track.index, threads: 1)
    let packet = try Packet()
    demuxer.select(streams: [track.index])
    var isAtEnd = false
    while true {
      switch try decoder.receive(into: frame) {
      case .frame: return
      case .endOfStream: throw PlaybackError(.nothingDecodable, "has no decodable cover")
      case .needsPacket: break
      }
      guard !isAtEnd else { throw PlaybackError(.nothingDecodable, "has no decodable cover") }
      if try demuxer.read(into: packet) == .packet {
        if packet.streamIndex == track.index { _ = try decoder.send(packet) }
      } else {
        isAtEnd = true
        _ = try decoder.send(nil)
      }
    }
  }
}

/// The cover as a frame at some time; it always looks the same.
///
/// `@unchecked Sendable`: as for `MovieFrame`; its rendering is used only within the lane's steps.
private final class CoverFrame: SourceFrame, @unchecked Sendable {
  let timing: FrameTiming
  private let cover: Cover
  private let loudness: Loudness

  init(_ cover: Cover, _ timing: FrameTiming, _ loudness: Loudness) {
    (self.cover, self.timing, self.loudness) = (cover, timing, loudness)
  }

  func render(for request: RenderRequest) throws -> RenderedFrame {
    var frame: RenderedFrame
    if let made = cover.made, made.request == request {
      frame = RenderedFrame(image: made.frame.image, rect: made.frame.rect, request: request, timing: timing)
    } else {
      frame = try MovieFrame(cover.frame, timing, cover.renderer).render(for: request)
      cover.made = (request, frame)
    }
    frame.loudness = loudness
    return frame
  }

  func still(maximumSize: PixelSize) throws -> Still {
    try MovieFrame(cover.frame, timing, cover.renderer).still(maximumSize: maximumSize)
  }
}
