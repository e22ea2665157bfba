import CellGraphics
import Playback

/// The displayed subtitles of a pane: a value without a player.
struct SubtitleDisplay {
  /// True if the selected subtitles are hidden.
  var isHidden = false
  /// Delay relative to the file.
  var delay = MediaTime.zero
  /// The clip it belongs to.
  private var clip: String?
  private(set) var cues: [SubtitleCue] = []
  private var titles: [SubtitleCue] = []
  private(set) var blocks: [SubtitleBlock] = []
  private var layout: SubtitleLayout?
  /// Opacity of each cue.
  private var opacities: [Double] = []
  /// When the background was last computed.
  private var groundTime: MediaTime?

  /// Starts with a clip's subtitles; the delay of other clips does not apply.
  mutating func begin(clip: String?) {
    if clip != self.clip { delay = .zero }
    self.clip = clip
  }

  /// Minimum life of a background under the same words: following every frame would redraw them for no visible effect.
  private static let groundInterval = MediaTime(value: 1, timescale: 4)

  /// Maximum change of the delay.
  static let maxDelay = MediaTime(value: 3600, timescale: 1)

  /// The time whose cues are displayed: the clock's, limited to the display interval of the frame.
  ///
  /// - Parameter isResting: True if the clock is stopped. Then a frame has the same cues however it was reached: those at its
  ///   midpoint, away from rounded file times, unless it is displayed for long.
  static func time(displaying timing: FrameTiming, at now: MediaTime, isResting: Bool) -> MediaTime {
    if isResting, timing.duration > .zero, timing.duration <= longestMoment { return middle(of: timing) }
    guard now > timing.pts, timing.duration > .zero else { return timing.pts }
    return min(now, timing.pts + timing.duration - MediaTime(value: 1, timescale: 100_000))
  }

  /// Frames displayed longer than this may have several cues in sequence.
  private static let longestMoment = MediaTime(value: 1, timescale: 5)

  private static func middle(of timing: FrameTiming) -> MediaTime { timing.pts + timing.duration.multiplied(by: 1, dividedBy: 2) }

  /// The time to seek to for a cue that starts at a given time: the next frame if most of the current one precedes it.
  static func place(ofCueAt time: MediaTime, in timing: FrameTiming?) -> MediaTime {
    guard let timing, timing.duration > .zero, timing.duration <= longestMoment, time > middle(of: timing) else { return time }
    return timing.end
  }

  /// Opacity of a cue, quantised: few enough steps to send, small enough not to be seen.
  static func opacity(of cue: SubtitleCue, at time: MediaTime) -> Double { (cue.opacity(at: time) * 16).rounded() / 16 }

  /// Hides all cues. Returns true if the display changes.
  mutating func clear() -> Bool {
    defer { (cues, titles, blocks, layout) = ([], [], [], nil) }
    return !blocks.isEmpty
  }

  /// Sets the cues to display and their layout.
  ///
  /// - Parameters:
  ///   - titles: Text of a movie.
  ///   - time: Time of the frame below.
  ///   - ground: Returns the mean colour of the frame in some cells; nil if the terminal has too few colours.
  /// - Returns: True if the display changes.
  mutating func update(
    _ cues: [SubtitleCue], titles: [SubtitleCue] = [], _ layout: SubtitleLayout, at time: MediaTime,
    ground: (CellRect) -> SubtitleStyle.Color?
  ) -> Bool {
    let opacities = (titles + cues).map { Self.opacity(of: $0, at: time) }
    let isSame = cues == self.cues && titles == self.titles && layout == self.layout && opacities == self.opacities
    if isSame, let groundTime, time >= groundTime, time - groundTime < Self.groundInterval, time != groundTime { return false }
    (self.cues, self.titles, self.layout, self.opacities, groundTime) = (cues, titles, layout, opacities, time)
    var new = isSame ? blocks : layout.blocks(cues, titles: titles, at: time)
    for i in new.indices {
      let (mean, opacity) = (ground(new[i].rect), new[i].opacity)
      let former = isSame ? blocks[i].ground : blocks.first { $0.rect == new[i].rect && $0.opacity == opacity }?.ground
      new[i].ground = mean.map { SubtitleGround.color(under: $0, opacity: opacity, former: former) }
    }
    defer { blocks = new }
    return new != blocks
  }
}

/// The background colour of subtitles: the frame's own, darkened until light text is readable.
enum SubtitleGround {
  /// Maximum luma of the background, out of 255.
  private static let maxLuma = 40.0
  /// Minimum luma of text, out of 255.
  private static let minLuma = 140.0
  /// Background difference below which it does not change, to avoid flicker and repeated sending.
  private static let tolerance = 14

  /// - Parameter opacity: Opacity of the text, 0…1; the rest is the frame's colour.
  static func color(under mean: SubtitleStyle.Color, opacity: Double = 1, former: SubtitleStyle.Color?) -> SubtitleStyle.Color {
    let scale = 1 - opacity * (1 - min(0.4, maxLuma / max(luma(mean), 1)))
    func dark(_ value: UInt8) -> UInt8 { UInt8(min(255, Double(value) * scale)) }
    let color = SubtitleStyle.Color(red: dark(mean.red), green: dark(mean.green), blue: dark(mean.blue))
    guard let former else { return color }
    let differences = [(color.red, former.red), (color.green, former.green), (color.blue, former.blue)]
    return differences.allSatisfy { abs(Int($0.0) - Int($0.1)) <= tolerance } ? former : color
  }

  /// A colour blended with another.
  static func mix(_ below: SubtitleStyle.Color, with color: SubtitleStyle.Color, opacity: Double) -> SubtitleStyle.Color {
    func mixed(_ a: UInt8, _ b: UInt8) -> UInt8 { UInt8((Double(a) + (Double(b) - Double(a)) * opacity).rounded()) }
    return SubtitleStyle.Color(
      red: mixed(below.red, color.red), green: mixed(below.green, color.green), blue: mixed(below.blue, color.blue))
  }

  /// The text colour readable on a background: the given one, lightened if too dark.
  static func letters(_ wanted: SubtitleStyle.Color?) -> SubtitleStyle.Color {
    guard let wanted else { return SubtitleStyle.Color(red: 238, green: 238, blue: 238) }
    let missing = max(0, minLuma - luma(wanted)) / (255 - minLuma + max(0, minLuma - luma(wanted)))
    func light(_ value: UInt8) -> UInt8 { UInt8(Double(value) + (255 - Double(value)) * missing) }
    return SubtitleStyle.Color(red: light(wanted.red), green: light(wanted.green), blue: light(wanted.blue))
  }

  /// Luma with BT.709 weights.
  private static func luma(_ color: SubtitleStyle.Color) -> Double {
    0.2126 * Double(color.red) + 0.7152 * Double(color.green) + 0.0722 * Double(color.blue)
  }
}

extension FrameLayer {
  /// The mean colour of some cells, black outside the image; nil if it shows nothing.
  func meanColor(in part: CellRect, blitter: Blitter) -> SubtitleStyle.Color? {
    let part = part.intersection(cells)
    guard !part.isEmpty, imageRect.width > 0, imageRect.height > 0 else { return nil }
    let blitter = self.blitter ?? blitter
    let (wide, high) = (blitter.blockWidth, blitter.blockHeight)
    let left = (part.x - cells.x) * wide, top = (part.y - cells.y) * high
    var sum = (red: 0, green: 0, blue: 0), count = 0
    image.withBytes { bytes in
      for y in top..<top + part.height * high {
        for x in left..<left + part.width * wide {
          count += 1
          let (column, row) = (x - imageRect.x, y - imageRect.y)
          guard column >= 0, column < imageRect.width, row >= 0, row < imageRect.height else { continue }
          let pixel = 3 * (Self.nearest(row, of: imageRect.height, in: image.height) * image.width
            + Self.nearest(column, of: imageRect.width, in: image.width))
          sum.red += Int(bytes[pixel])
          sum.green += Int(bytes[pixel + 1])
          sum.blue += Int(bytes[pixel + 2])
        }
      }
    }
    return SubtitleStyle.Color(
      red: UInt8(sum.red / count), green: UInt8(sum.green / count), blue: UInt8(sum.blue / count))
  }
}
