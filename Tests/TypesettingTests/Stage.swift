import Pixels
import Typesetting

/// libass, where it is installed; other tests are skipped.
enum Stage {
  static let library = TypesettingLibrary.find()

  static func header(_ width: Int = 320, _ height: Int = 180, more: String = "") -> String {
    """
    [Script Info]
    ScriptType: v4.00+
    PlayResX: \(width)
    PlayResY: \(height)
    \(more)

    [V4+ Styles]
    Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, \
    StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
    Style: Default,sans-serif,20,&H00FFFFFF,&H000000FF,&H00000000,&H00000000,0,0,0,0,100,100,0,0,1,2,0,2,5,5,5,1

    [Events]
    Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text

    """
  }

  static func line(_ text: String, number: Int = 0, start: Int = 0, end: Int = 1000) -> TypesettingScene.Line {
    .init(text: "\(number),0,Default,,0,0,0,,\(text)", start: start, end: end)
  }

  static func scene(_ texts: [String], time: Int = 500, size: PixelSize = PixelSize(width: 320, height: 180)) -> TypesettingScene {
    TypesettingScene(
      header: header(), lines: texts.enumerated().map { line($0.element, number: $0.offset) }, time: time, size: size)
  }

  /// A picture of one colour.
  static func ground(_ size: PixelSize = PixelSize(width: 320, height: 180), _ level: UInt8 = 100) -> PixelImage {
    PixelImage(size: size) { bytes in bytes.update(repeating: level) }
  }

  /// The smallest rectangle with all pixels that meet a condition; nil if none does.
  static func area(_ image: PixelImage, where meets: (UInt8, UInt8, UInt8) -> Bool) -> PixelRect? {
    var (left, top, right, bottom) = (image.width, image.height, 0, 0)
    image.withBytes { bytes in
      for y in 0..<image.height {
        for x in 0..<image.width where meets(bytes[3 * (y * image.width + x)], bytes[3 * (y * image.width + x) + 1], bytes[3 * (y * image.width + x) + 2]) {
          (left, top, right, bottom) = (min(left, x), min(top, y), max(right, x + 1), max(bottom, y + 1))
        }
      }
    }
    return left < right ? PixelRect(x: left, y: top, width: right - left, height: bottom - top) : nil
  }
}
