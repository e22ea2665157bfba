import CellGraphics
import Playback
import Terminal

extension ChromePainter {
  func draw(_ block: SubtitleBlock) {
    // With too few colours to blend, text appears at half opacity.
    guard theme.depth >= .palette256 ? block.opacity > 0 : block.opacity >= 0.5 else { return }
    let window = compositor.layer(block.rect)
    let plain = style(SubtitleStyle(), block)
    window.erase(plain)
    for (row, runs) in block.rows.enumerated() {
      let width = runs.reduce(0) { $0 + $1.text.columns }
      let room = block.rect.width - 2 - width
      var column = 1 + (block.alignment == .left ? 0 : block.alignment == .center ? room / 2 : room)
      for run in runs {
        column += window.put(run.text, row: row, column: column, style: style(run.style, block), isVisual: true)
      }
    }
    floating.append(window)
  }

  private func style(_ text: SubtitleStyle, _ block: SubtitleBlock) -> ChromeStyle {
    var attributes: CellAttributes = []
    if text.isBold { attributes.insert(.bold) }
    if text.isItalic { attributes.insert(.italic) }
    if text.isUnderlined { attributes.insert(.underline) }
    let letters = SubtitleGround.letters(text.color)
    switch theme.depth {
    case .trueColor, .palette256:
      let ground = block.ground ?? SubtitleStyle.Color(red: 0, green: 0, blue: 0)
      let letters = SubtitleGround.mix(ground, with: letters, opacity: block.opacity)
      return ChromeStyle(
        foreground: .rgb(letters.red, letters.green, letters.blue),
        background: .rgb(ground.red, ground.green, ground.blue), attributes: attributes)
    case .ansi16, .ansi8:
      let bits = (letters.red > 127 ? 1 : 0) + (letters.green > 127 ? 2 : 0) + (letters.blue > 127 ? 4 : 0)
      let bright = theme.depth == .ansi16 ? 8 : 0
      // Black is the nearest of these colours to any darkened frame colour.
      return ChromeStyle(foreground: .indexed(UInt8(bits + bright)), background: .indexed(0), attributes: attributes)
    case .mono: return ChromeStyle(attributes: attributes)
    }
  }
}
