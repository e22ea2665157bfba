import Pixels
import Playback
import Typesetting

/// The frame in pixels over which text is drawn.
struct TypesetLayout: Equatable, Sendable {
  var image: PixelSize
  /// The visible part of the frame.
  var visible: FrameRegion
  /// Aspect ratio of the whole displayed frame.
  var aspect: Double
  /// Width divided by height of a pixel of the image.
  var pixelAspect: Double
  /// Size of the coded frames, upright.
  var coded: PixelSize
  /// Height of a cell, in pixels.
  var cellHeight: Int
  /// Pixels at the bottom that something else covers.
  var covered = 0
}

/// Text to draw over a frame: the cues that are visible, as their author styled them or in a plain style.
struct TypesetRequest: Equatable, Sendable {
  enum Script: Equatable, Sendable {
    case plain
    case authored(header: String)
  }

  let script: Script
  /// The lines of an authored script are the texts of its cues.
  let cues: [SubtitleCue]
  let layout: TypesetLayout
  /// On the timeline of the cues.
  let time: MediaTime
  /// True if the text may change while the cues stay.
  let isAnimated: Bool

  init(_ script: Script, _ cues: [SubtitleCue], _ layout: TypesetLayout, at time: MediaTime) {
    (self.script, self.cues, self.layout, self.time) = (script, cues, layout, time)
    isAnimated = script == .plain ? cues.contains(where: \.fades) : cues.contains { Self.isAnimated($0.text) }
  }

  /// Returns true if another request is for the same text, maybe at another time.
  func hasText(of other: TypesetRequest) -> Bool { script == other.script && layout == other.layout && cues == other.cues }

  /// The distance to the time of another request for the same text, in seconds.
  func distance(to other: TypesetRequest) -> Double { isAnimated ? abs((time - other.time).seconds) : 0 }

  /// Returns true for a line with an effect, a movement, a fade, karaoke or any other change over time.
  private static func isAnimated(_ line: String) -> Bool {
    var line = line, fields = 0
    return line.withUTF8 { bytes in
      bytes.indices.contains { i in
        let next = i + 1 < bytes.count ? bytes[i + 1] : 0
        if bytes[i] == UInt8(ascii: ","), fields < 8 {
          fields += 1
          return fields == 7 && next != UInt8(ascii: ",")
        }
        guard bytes[i] == UInt8(ascii: "\\") else { return false }
        let isFade = next == UInt8(ascii: "f") && i + 2 < bytes.count && bytes[i + 2] == UInt8(ascii: "a")
        return isFade || "tmkK".utf8.contains(next)
      }
    }
  }

  // MARK: - Drawing

  /// The scene to draw.
  var scene: TypesettingScene {
    let now = Self.milliseconds(time)
    func line(_ text: String, _ cue: SubtitleCue) -> TypesettingScene.Line {
      let (start, end) = (Self.milliseconds(cue.timeRange.start), Self.milliseconds(cue.timeRange.end))
      // Visible now, whatever is lost by rounding.
      return .init(text: text, start: min(start, now), end: max(end, now.saturatingAdd(1)))
    }
    let squeeze = 1 / layout.pixelAspect
    var scene: TypesettingScene
    switch script {
    case .plain:
      let plain = PlainScript(size: layout.image, minFontSize: layout.cellHeight)
      let lines = cues.enumerated().map { line(plain.line($0.element, number: $0.offset), $0.element) }
      scene = TypesettingScene(header: plain.header, lines: lines, time: now, size: layout.image)
      scene.pixelAspect = squeeze
    case .authored(let header):
      scene = TypesettingScene(header: header, lines: cues.map { line($0.text, $0) }, time: now, size: layout.image)
      scene.crop = crop
      scene.storage = layout.coded
      scene.pixelAspect = squeeze * layout.aspect * Double(layout.coded.height) / Double(max(1, layout.coded.width))
    }
    scene.lift = Double(layout.covered) / Double(max(1, layout.image.height))
    return scene
  }

  private var crop: TypesettingScene.Crop {
    let visible = layout.visible
    let width = Double(layout.image.width) / visible.width, height = Double(layout.image.height) / visible.height
    func side(_ fraction: Double, _ length: Double) -> Int { max(0, Int(saturating: (fraction * length).rounded())) }
    var crop = TypesettingScene.Crop()
    (crop.left, crop.right) = (side(visible.x, width), side(1 - visible.x - visible.width, width))
    (crop.top, crop.bottom) = (side(visible.y, height), side(1 - visible.y - visible.height, height))
    return crop
  }

  private static func milliseconds(_ time: MediaTime) -> Int {
    time.isNumeric ? Int(saturating: (time.seconds * 1000).rounded()) : time.isPositiveInfinity ? .max : .min
  }
}
