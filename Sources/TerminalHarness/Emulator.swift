import CVTerm

/// A terminal without a program: receives bytes and reports what a terminal would show.
///
/// Wraps libvterm (xterm's sequences, the alternate screen, 24-bit colour). Use from one thread at a time.
public final class Emulator {
  /// The target of libvterm's callbacks; separate so that they never retain the emulator itself.
  private final class Sink {
    var replies: [UInt8] = []
    var isCursorVisible = true
    var isAlternateScreen = false
    var mouseMode = EmulatorScreen.MouseMode.off
    var bells = 0
    /// Cells that have been written or erased, if that is recorded.
    var damage: [VTermRect]?

    static func from(_ user: UnsafeMutableRawPointer?) -> Sink? {
      user.map { Unmanaged<Sink>.fromOpaque($0).takeUnretainedValue() }
    }
  }

  private let sink = Sink()
  private let terminal: OpaquePointer
  private let screenLayer: OpaquePointer
  /// libvterm keeps the address, so the table lives as long as the terminal.
  private let callbacks: UnsafeMutablePointer<VTermScreenCallbacks>
  private let palette: EmulatorScreen.Palette
  private var scanner = ControlSequenceScanner()
  private let knowsSynchronizedUpdates: Bool
  private let isUTF8: Bool
  /// The first bytes of an incomplete character. libvterm 0.1 shows U+FFFD for many characters that arrive in two writes.
  private var unfinished: [UInt8] = []
  /// The screen at the start of the latest synchronized update.
  private var held: EmulatorScreen?
  /// The alternate screen when the program last left it; nil if it never has.
  public private(set) var alternateScreenAtEnd: EmulatorScreen?

  public private(set) var columns: Int
  public private(set) var rows: Int

  /// Creates an emulator with an empty screen.
  ///
  /// - Parameters:
  ///   - utf8: if false, every byte is a Latin-1 character.
  ///   - knowsSynchronizedUpdates: if true, a query for mode 2026 is answered with "known, reset".
  public init(columns: Int, rows: Int, utf8: Bool = true, knowsSynchronizedUpdates: Bool = false) {
    precondition(columns > 0 && rows > 0, "a screen has at least one cell")
    self.columns = columns
    self.rows = rows
    self.knowsSynchronizedUpdates = knowsSynchronizedUpdates
    isUTF8 = utf8
    guard let terminal = vterm_new(Int32(rows), Int32(columns)), let layer = vterm_obtain_screen(terminal)
    else { fatalError("out of memory for a terminal of \(columns)×\(rows)") }
    self.terminal = terminal
    screenLayer = layer
    vterm_set_utf8(terminal, utf8 ? 1 : 0)
    palette = Self.palette(of: terminal)

    let user = Unmanaged.passUnretained(sink).toOpaque()
    vterm_output_set_callback(
      terminal,
      { bytes, count, user in
        guard let bytes, let sink = Sink.from(user) else { return }
        bytes.withMemoryRebound(to: UInt8.self, capacity: count) {
          sink.replies.append(contentsOf: UnsafeBufferPointer(start: $0, count: count))
        }
      }, user)

    var table = VTermScreenCallbacks()
    table.settermprop = { property, value, user in
      guard let value, let sink = Sink.from(user) else { return 0 }
      switch property {
      case VTERM_PROP_CURSORVISIBLE: sink.isCursorVisible = value.pointee.boolean != 0
      case VTERM_PROP_ALTSCREEN: sink.isAlternateScreen = value.pointee.boolean != 0
      case VTERM_PROP_MOUSE:
        sink.mouseMode = EmulatorScreen.MouseMode(rawValue: Int(value.pointee.number)) ?? .off
      default: return 0
      }
      return 1
    }
    table.bell = { user in
      Sink.from(user)?.bells += 1
      return 1
    }
    table.damage = { rect, user in
      Sink.from(user)?.damage?.append(rect)
      return 1
    }
    callbacks = .allocate(capacity: 1)
    callbacks.initialize(to: table)
    vterm_screen_set_callbacks(screenLayer, callbacks, user)
    vterm_screen_enable_altscreen(screenLayer, 1)
    vterm_screen_reset(screenLayer, 1)
    sink.replies.removeAll()
  }

  deinit {
    vterm_free(terminal)
    callbacks.deinitialize(count: 1)
    callbacks.deallocate()
  }

  /// Processes a program's output, in pieces of any size.
  public func feed(_ bytes: UnsafeBufferPointer<UInt8>) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let (count, event) = scanner.scan(rest)
      if event == .alternateScreenEnds {
        write(UnsafeBufferPointer(rebasing: rest.prefix(count - 1)))
        alternateScreenAtEnd = screen
        write(UnsafeBufferPointer(rebasing: rest.prefix(count).suffix(1)))
      } else {
        write(UnsafeBufferPointer(rebasing: rest.prefix(count)))
      }
      switch event {
      case .furtherModes(let modes, let isSet):
        for mode in modes {
          Array("\u{1B}[?\(mode)\(isSet ? "h" : "l")".utf8).withUnsafeBufferPointer(write)
        }
      case .synchronizedUpdateQuery(let isSet) where knowsSynchronizedUpdates:
        // libvterm has just answered that it does not recognise the mode.
        let unknown = Array("\u{1B}[?2026;0$y".utf8)
        if sink.replies.suffix(unknown.count).elementsEqual(unknown) {
          sink.replies.removeLast(unknown.count)
        }
        sink.replies += Array("\u{1B}[?2026;\(isSet ? 1 : 2)$y".utf8)
      case .synchronizedUpdateBegins where knowsSynchronizedUpdates: held = screen
      case .synchronizedUpdateQuery, .synchronizedUpdateBegins, .alternateScreenEnds, nil: break
      }
      rest = rest.dropFirst(count)
    }
  }

  public func feed(_ bytes: some Sequence<UInt8>) {
    Array(bytes).withUnsafeBufferPointer { feed($0) }
  }

  public func feed(_ text: String) { feed(text.utf8) }

  /// Returns the terminal's replies and key strokes since the last call, as the program would read them.
  public func takeReplies() -> [UInt8] {
    defer { sink.replies.removeAll() }
    return sink.replies
  }

  /// Returns the cells that have been written or erased since the last call, as `row * TerminalImages.stride + column`. The first
  /// call begins the record.
  func takeDamage() -> [Int] {
    let damage = sink.damage ?? []
    sink.damage = []
    return damage.flatMap { rect in
      (rect.start_row..<max(rect.start_row, rect.end_row)).flatMap { row in
        (rect.start_col..<max(rect.start_col, rect.end_col)).map { Int(row) * TerminalImages.stride + Int($0) }
      }
    }
  }

  /// The position of the cursor.
  var cursor: (column: Int, row: Int) {
    var cursor = VTermPos()
    vterm_state_get_cursorpos(vterm_obtain_state(terminal), &cursor)
    return (Int(cursor.col), Int(cursor.row))
  }

  /// Resizes the screen as a terminal's window does, keeping what fits.
  public func resize(columns: Int, rows: Int) {
    precondition(columns > 0 && rows > 0, "a screen has at least one cell")
    self.columns = columns
    self.rows = rows
    vterm_set_size(terminal, Int32(rows), Int32(columns))
  }

  /// A copy of the current screen.
  public var screen: EmulatorScreen {
    let columns = columns
    let rows = rows
    let raw = [VTermScreenCell](unsafeUninitializedCapacity: columns * rows) { buffer, count in
      buffer.initialize(repeating: VTermScreenCell())
      guard let cells = buffer.baseAddress else { return }
      for row in 0..<rows {
        for column in 0..<columns {
          let place = VTermPos(row: Int32(row), col: Int32(column))
          _ = vterm_screen_get_cell(screenLayer, place, cells + (row * columns + column))
        }
      }
      count = columns * rows
    }
    return EmulatorScreen(
      columns: columns, rows: rows, cursor: cursor,
      isCursorVisible: sink.isCursorVisible, isAlternateScreen: sink.isAlternateScreen,
      mouseMode: sink.mouseMode, title: scanner.title, privateModes: scanner.privateModes, raw: raw,
      palette: palette)
  }

  /// A copy of the visible screen: during a synchronized update, the one before it, if the terminal supports them.
  public var visibleScreen: EmulatorScreen { isInSynchronizedUpdate ? held ?? screen : screen }

  /// Returns the text of one row without trailing blanks, without copying the whole screen.
  public func text(row: Int) -> String {
    precondition(row >= 0 && row < rows, "not on the screen")
    var text = ""
    var end = text.endIndex
    for column in 0..<columns {
      var cell = VTermScreenCell()
      _ = vterm_screen_get_cell(screenLayer, VTermPos(row: Int32(row), col: Int32(column)), &cell)
      let glyph = TerminalCell(cell).glyph
      text += glyph
      if glyph != " " { end = text.endIndex }
    }
    return String(text[..<end])
  }

  public var bells: Int { sink.bells }
  /// The number of queries for the terminal's status (`ESC[5n`).
  public var statusQueries: Int { scanner.statusQueries }
  /// True during a synchronized update (mode 2026), when the screen may be half drawn.
  public var isInSynchronizedUpdate: Bool { scanner.isInSynchronizedUpdate }

  /// Adds a key stroke's bytes, in the form that the program has requested, to the replies.
  public func press(_ key: TerminalKey, _ modifiers: TerminalModifiers = []) {
    let modifier = VTermModifier(UInt32(modifiers.rawValue))
    switch key {
    case .character(let scalar): vterm_keyboard_unichar(terminal, scalar.value, modifier)
    default: vterm_keyboard_key(terminal, key.libvtermKey, modifier)
    }
  }

  /// Moves the mouse or presses or releases a button, in the form that the program has requested; does nothing if it has not.
  public func mouse(_ action: TerminalMouseAction, column: Int, row: Int, _ modifiers: TerminalModifiers = [])
  {
    guard sink.mouseMode != .off else { return }  // libvterm would send X10's form
    let modifier = VTermModifier(UInt32(modifiers.rawValue))
    vterm_mouse_move(terminal, Int32(row), Int32(column), modifier)
    switch action {
    case .move: break
    case .press(let button): vterm_mouse_button(terminal, Int32(button), true, modifier)
    case .release(let button): vterm_mouse_button(terminal, Int32(button), false, modifier)
    case .wheelUp: vterm_mouse_button(terminal, 4, true, modifier)
    case .wheelDown: vterm_mouse_button(terminal, 5, true, modifier)
    }
  }

  private func write(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard isUTF8 else { return writeWhole(bytes) }
    if unfinished.isEmpty, let last = bytes.last, last < 0x80 { return writeWhole(bytes) }
    unfinished += bytes
    let whole = unfinished.count - Self.unfinishedCount(at: unfinished[...])
    unfinished.withUnsafeBufferPointer { writeWhole(UnsafeBufferPointer(rebasing: $0[..<whole])) }
    unfinished.removeFirst(whole)
  }

  private func writeWhole(_ bytes: UnsafeBufferPointer<UInt8>) {
    bytes.withMemoryRebound(to: CChar.self) { _ = vterm_input_write(terminal, $0.baseAddress, $0.count) }
  }

  /// Returns the number of bytes at the end that begin an incomplete UTF-8 character.
  private static func unfinishedCount(at bytes: ArraySlice<UInt8>) -> Int {
    let tail = bytes.suffix(3)
    guard let lead = tail.lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return 0 }
    let length = tail[lead] >= 0xF0 ? 4 : tail[lead] >= 0xE0 ? 3 : tail[lead] >= 0xC0 ? 2 : 1
    let count = tail.endIndex - lead
    return count < length ? count : 0
  }

  private static func palette(of terminal: OpaquePointer) -> EmulatorScreen.Palette {
    let state = vterm_obtain_state(terminal)
    func rgb(_ color: VTermColor) -> RGB {
      var color = color
      vterm_state_convert_color_to_rgb(state, &color)
      return RGB(color.rgb.red, color.rgb.green, color.rgb.blue)
    }
    var foreground = VTermColor()
    var background = VTermColor()
    vterm_state_get_default_colors(state, &foreground, &background)
    let entries = (0..<256).map { index -> RGB in
      var color = VTermColor()
      vterm_state_get_palette_color(state, Int32(index), &color)
      return rgb(color)
    }
    return EmulatorScreen.Palette(
      entries: entries, foreground: rgb(foreground), background: rgb(background))
  }
}
