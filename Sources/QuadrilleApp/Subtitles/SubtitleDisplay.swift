import CellGraphics
import Playback

/// The subtitles of a pane that are on the screen: a value without a player.
struct SubtitleDisplay {
  /// Whether they are not to be seen, though some are chosen.
  var isHidden = false
  /// By how much they come later than their file says.
  var delay = MediaTime.zero
  /// The clip that this is of.
  private var clip: String?
  private(set) var cues: [SubtitleCue] = []
  private var titles: [SubtitleCue] = []
  private(set) var blocks: [SubtitleBlock] = []
  private var layout: SubtitleLayout?
  /// Of the cues, how much of the frame each hides.
  private var opacities: [Double] = []
  /// When the ground was looked at last.
  private var groundTime: MediaTime?

  /// Takes the subtitles of a clip: that others came late tells nothing of it.
  mutating func begin(clip: String?) {
    if clip != self.clip { delay = .zero }
    self.clip = clip
  }

  /// So long a ground stays under the same words: following each frame would draw them anew each time, for nothing that is seen.
  private static let groundInterval = MediaTime(value: 1, timescale: 4)

  /// What a change of delay is at the most.
  static let maxDelay = MediaTime(value: 3600, timescale: 1)

  /// The time whose cues are seen: the clock's, but never another than one at which the frame on the screen is meant to be there.
  ///
  /// - Parameter isResting: whether the clock stands. Then a frame has the same cues whichever way it was come to: those of its
  ///   middle, from which times that a file has rounded are far, unless it is shown for long.
  static func time(displaying timing: FrameTiming, at now: MediaTime, isResting: Bool) -> MediaTime {
    if isResting, timing.duration > .zero, timing.duration <= longestMoment { return middle(of: timing) }
    guard now > timing.pts, timing.duration > .zero else { return timing.pts }
    return min(now, timing.pts + timing.duration - MediaTime(value: 1, timescale: 100_000))
  }

  /// Frames that are shown for longer may have several cues one after another.
  private static let longestMoment = MediaTime(value: 1, timescale: 5)

  private static func middle(of timing: FrameTiming) -> MediaTime { timing.pts + timing.duration.multiplied(by: 1, dividedBy: 2) }

  /// Where to go to see a cue that begins at a time: the frame after the one that holds it, where most of that one comes before.
  static func place(ofCueAt time: MediaTime, in timing: FrameTiming?) -> MediaTime {
    guard let timing, timing.duration > .zero, timing.duration <= longestMoment, time > middle(of: timing) else { return time }
    return timing.end
  }

  /// How much of the frame a cue hides, in steps that are few enough to be sent and too small to be seen.
  static func opacity(of cue: SubtitleCue, at time: MediaTime) -> Double { (cue.opacity(at: time) * 16).rounded() / 16 }

  /// Shows none. Returns whether anything looks different.
  mutating func clear() -> Bool {
    defer { (cues, titles, blocks, layout) = ([], [], [], nil) }
    return !blocks.isEmpty
  }

  /// Takes the cues that are to be seen, and where.
  ///
  /// - Parameters:
  ///   - titles: text of a movie made of pieces.
  ///   - time: of the frame that they lie over.
  ///   - ground: the mean colour of the frame in some cells; nil where the terminal has too few colours.
  /// - Returns: whether anything looks different.
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

/// The colour behind the text of subtitles: the frame's own, so dark that light letters can be read on it.
enum SubtitleGround {
  /// Of 255: the luma that the ground has at the most.
  private static let maxLuma = 40.0
  /// Of 255: the luma that letters have at least.
  private static let minLuma = 140.0
  /// A ground that is so near to what it should be stays, so that it does not flicker, nor is sent again and again.
  private static let tolerance = 14

  /// - Parameter opacity: of the text, 0…1; with less of it there is more of the frame's colour.
  static func color(under mean: SubtitleStyle.Color, opacity: Double = 1, former: SubtitleStyle.Color?) -> SubtitleStyle.Color {
    let scale = 1 - opacity * (1 - min(0.4, maxLuma / max(luma(mean), 1)))
    func dark(_ value: UInt8) -> UInt8 { UInt8(min(255, Double(value) * scale)) }
    let color = SubtitleStyle.Color(red: dark(mean.red), green: dark(mean.green), blue: dark(mean.blue))
    guard let former else { return color }
    let differences = [(color.red, former.red), (color.green, former.green), (color.blue, former.blue)]
    return differences.allSatisfy { abs(Int($0.0) - Int($0.1)) <= tolerance } ? former : color
  }

  /// A colour that is seen through another one.
  static func mix(_ below: SubtitleStyle.Color, with color: SubtitleStyle.Color, opacity: Double) -> SubtitleStyle.Color {
    func mixed(_ a: UInt8, _ b: UInt8) -> UInt8 { UInt8((Double(a) + (Double(b) - Double(a)) * opacity).rounded()) }
    return SubtitleStyle.Color(
      red: mixed(below.red, color.red), green: mixed(below.green, color.green), blue: mixed(below.blue, color.blue))
  }

  /// The colour of letters that can be read on a ground: the one that is wanted, lighter where it is too dark.
  static func letters(_ wanted: SubtitleStyle.Color?) -> SubtitleStyle.Color {
    guard let wanted else { return SubtitleStyle.Color(red: 238, green: 238, blue: 238) }
    let missing = max(0, minLuma - luma(wanted)) / (255 - minLuma + max(0, minLuma - luma(wanted)))
    func light(_ value: UInt8) -> UInt8 { UInt8(Double(value) + (255 - Double(value)) * missing) }
    return SubtitleStyle.Color(red: light(wanted.red), green: light(wanted.green), blue: light(wanted.blue))
  }

  /// Luma as BT.709 weighs it.
  private static func luma(_ color: SubtitleStyle.Color) -> Double {
    0.2126 * Double(color.red) + 0.7152 * Double(color.green) + 0.0722 * Double(color.blue)
  }
}

extension FrameLayer {
  /// The mean colour of some cells, black where the image does not cover them; nil where it shows nothing.
  func meanColor(in part: CellRect, blitter: Blitter) -> SubtitleStyle.Color? {
    let part = part.intersection(cells)
    guard !part.isEmpty, imageRect.width > 0, imageRect.height > 0 else { return nil }
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
