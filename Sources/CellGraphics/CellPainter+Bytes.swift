/// Bytes of control sequences. Nothing here allocates.
extension CellPainter {
  @inline(__always)
  mutating func putByte(_ byte: UInt8) {
    end.storeBytes(of: byte, as: UInt8.self)
    end += 1
  }

  @inline(__always)
  mutating func put(_ text: StaticString) {
    end.copyMemory(from: text.utf8Start, byteCount: text.utf8CodeUnitCount)
    end += text.utf8CodeUnitCount
  }

  /// Writes a decimal number of up to five digits.
  mutating func putNumber(_ number: Int) {
    if number < 256 {
      let word = UInt32(littleEndian: parameters[number]) >> 8
      end.storeBytes(of: word.littleEndian, as: UInt32.self)
      end += ParameterTable.length(UInt32(number)) - 1
      return
    }
    var divisor = 100
    while number / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      putByte(UInt8(ascii: "0") + UInt8(number / divisor % 10))
      divisor /= 10
    }
  }

  static func digits(_ number: Int) -> Int {
    number < 10 ? 1 : number < 100 ? 2 : number < 1000 ? 3 : number < 10_000 ? 4 : 5
  }

  /// Writes `;n`, where `n` is below 256.
  @inline(__always)
  mutating func putParameter(_ number: UInt32) {
    end.storeBytes(of: parameters[Int(number & 0xFF)], as: UInt32.self)
    end += ParameterTable.length(number & 0xFF)
  }

  mutating func putGlyph(_ glyph: UInt32) {
    if GlyphCluster.isCluster(glyph) {
      for scalar in GlyphCluster.scalars(of: glyph) { putScalar(scalar.value) }
    } else {
      putScalar(glyph)
    }
    if profile.marksDirection, GlyphWidth.isRightToLeft(glyph) { putScalar(0x200E) }
  }

  @inline(__always)
  private mutating func putScalar(_ glyph: UInt32) {
    if glyph < 0x80 {
      putByte(UInt8(truncatingIfNeeded: glyph))
    } else if glyph < 0x800 {
      putByte(UInt8(truncatingIfNeeded: 0xC0 | glyph >> 6))
      putByte(UInt8(truncatingIfNeeded: 0x80 | glyph & 0x3F))
    } else if glyph < 0x1_0000 {
      putByte(UInt8(truncatingIfNeeded: 0xE0 | glyph >> 12))
      putByte(UInt8(truncatingIfNeeded: 0x80 | glyph >> 6 & 0x3F))
      putByte(UInt8(truncatingIfNeeded: 0x80 | glyph & 0x3F))
    } else {
      putByte(UInt8(truncatingIfNeeded: 0xF0 | glyph >> 18))
      putByte(UInt8(truncatingIfNeeded: 0x80 | glyph >> 12 & 0x3F))
      putByte(UInt8(truncatingIfNeeded: 0x80 | glyph >> 6 & 0x3F))
      putByte(UInt8(truncatingIfNeeded: 0x80 | glyph & 0x3F))
    }
  }

  // MARK: The cursor

  /// Moves the cursor in the cheapest way.
  mutating func move(to x: Int, _ row: Int) {
    defer { cursor = Cursor(column: x, row: row) }
    let absolute: Int
    if x == 0 {
      absolute = row == 0 ? 3 : 3 + CellPainter.digits(row + 1)
    } else {
      absolute = 4 + CellPainter.digits(row + 1) + CellPainter.digits(x + 1)
    }
    if cursor.column >= 0 {
      if cursor.row == row {
        if x == 0 { return putByte(0x0D) }
        let distance = abs(x - cursor.column)
        if x < cursor.column, distance < 4 {
          for _ in 0..<distance { putByte(0x08) }
          return
        }
        if relativeLength(distance) < absolute {
          return putRelative(distance, x > cursor.column ? UInt8(ascii: "C") : UInt8(ascii: "D"))
        }
      } else if cursor.row + 1 == row, x == 0 {
        // CR first, so that a line discipline that turns LF into CR LF changes nothing.
        return put("\r\n")
      } else if cursor.column == x, relativeLength(abs(row - cursor.row)) < absolute {
        return putRelative(
          abs(row - cursor.row), row > cursor.row ? UInt8(ascii: "B") : UInt8(ascii: "A"))
      } else if cursor.row + 1 == row, 2 + relativeLength(x) < absolute {
        put("\r\n")
        return putRelative(x, UInt8(ascii: "C"))
      }
    }
    put("\u{1B}[")
    if x > 0 || row > 0 { putNumber(row + 1) }
    if x > 0 {
      putByte(UInt8(ascii: ";"))
      putNumber(x + 1)
    }
    putByte(UInt8(ascii: "H"))
  }

  private func relativeLength(_ distance: Int) -> Int {
    distance == 1 ? 3 : 3 + CellPainter.digits(distance)
  }

  private mutating func putRelative(_ distance: Int, _ final: UInt8) {
    put("\u{1B}[")
    if distance > 1 { putNumber(distance) }
    putByte(final)
  }

  // MARK: The pen

  /// Sets the two colours if they differ; the attributes are already right.
  @inline(__always)
  mutating func setColors(_ foreground: CellColor, _ background: CellColor) {
    let changesForeground = foreground != pen.foreground
    let changesBackground = background != pen.background
    guard changesForeground || changesBackground else { return }
    // Every parameter is written with a semicolon before it; the first one becomes the bracket.
    let start = end
    putByte(0x1B)
    if changesForeground { putColor(foreground, layer: 0) }
    if changesBackground { putColor(background, layer: 10) }
    (start + 1).storeBytes(of: UInt8(ascii: "["), as: UInt8.self)
    putByte(UInt8(ascii: "m"))
    pen.foreground = foreground
    pen.background = background
  }

  /// Sets what is visible of an empty cell: the background, and no underline or reverse.
  mutating func setBlankPen(_ background: CellColor) {
    if pen.attributes.isDisjoint(with: .visibleOnBlank) {
      setColors(pen.foreground, background)
    } else {
      setPen(pen.foreground, background, [])
    }
  }

  /// Sets colours and attributes in one SGR, with a reset if that is shorter.
  mutating func setPen(
    _ foreground: CellColor, _ background: CellColor, _ attributes: CellAttributes
  ) {
    if attributes == pen.attributes { return setColors(foreground, background) }
    let off = pen.attributes.subtracting(attributes)
    var on = attributes.subtracting(pen.attributes)
    let start = end
    putByte(0x1B)
    if off.isEmpty {
      putAttributes(on)
    } else {
      let intensity: CellAttributes = [.bold, .dim]
      let losesIntensity = !off.isDisjoint(with: intensity)
      if losesIntensity { on.formUnion(attributes.intersection(intensity)) }
      var single = 2 * on.rawValue.nonzeroBitCount
      single += 3 * ((losesIntensity ? 1 : 0) + off.subtracting(intensity).rawValue.nonzeroBitCount)
      if foreground != pen.foreground { single += length(foreground) }
      if background != pen.background { single += length(background) }
      var whole = 2 + 2 * attributes.rawValue.nonzeroBitCount
      if foreground != .default { whole += length(foreground) }
      if background != .default { whole += length(background) }
      // A VT100 has no parameters that switch off a single attribute.
      if whole <= single || profile.colorDepth == .mono {
        putParameter(0)
        pen = Pen()
        putAttributes(attributes)
      } else {
        if losesIntensity { putParameter(22) }
        if off.contains(.italic) { putParameter(23) }
        if off.contains(.underline) { putParameter(24) }
        if off.contains(.reverse) { putParameter(27) }
        putAttributes(on)
      }
    }
    if foreground != pen.foreground { putColor(foreground, layer: 0) }
    if background != pen.background { putColor(background, layer: 10) }
    let next = Pen(foreground: foreground, background: background, attributes: attributes)
    // A reset alone needs no parameter.
    if next == Pen() { end = start + 2 }
    (start + 1).storeBytes(of: UInt8(ascii: "["), as: UInt8.self)
    putByte(UInt8(ascii: "m"))
    pen = next
  }

  private mutating func putAttributes(_ attributes: CellAttributes) {
    if attributes.contains(.bold) { putParameter(1) }
    if attributes.contains(.dim) { putParameter(2) }
    if attributes.contains(.italic) { putParameter(3) }
    if attributes.contains(.underline) { putParameter(4) }
    if attributes.contains(.reverse) { putParameter(7) }
  }

  /// Returns the parameters of a colour; `layer` is 0 for the foreground and 10 for the background.
  @inline(__always)
  private mutating func putColor(_ color: CellColor, layer: UInt32) {
    let raw = color.rawValue
    if raw >= CellColor.rgbKind {
      // ";38;2" or ";48;2", the last three bytes of which do not count.
      let prefix: UInt64 = layer == 0 ? 0x323B_3833_3B : 0x323B_3834_3B
      end.storeBytes(of: prefix.littleEndian, as: UInt64.self)
      end += 5
      putParameter(raw >> 16 & 0xFF)
      putParameter(raw >> 8 & 0xFF)
      putParameter(raw & 0xFF)
    } else {
      putShortColor(raw, layer)
    }
  }

  private mutating func putShortColor(_ raw: UInt32, _ layer: UInt32) {
    if raw == 0 { return putParameter(39 + layer) }
    let index = raw & 0xFF
    if profile.colorDepth >= .palette256 {
      putParameter(38 + layer)
      putParameter(5)
      putParameter(index)
    } else if index < 8 {
      putParameter(30 + layer + index)
    } else {
      putParameter(82 + layer + index)
    }
  }

  private func length(_ color: CellColor) -> Int {
    switch color.kind {
    case .default: 3
    case .rgb(let r, let g, let b):
      5 + ParameterTable.length(UInt32(r)) + ParameterTable.length(UInt32(g))
        + ParameterTable.length(UInt32(b))
    case .indexed(let index):
      profile.colorDepth >= .palette256
        ? 5 + ParameterTable.length(UInt32(index)) : index < 8 ? 3 : ParameterTable.length(82 + UInt32(index))
    }
  }
}
