extension TerminfoEntry {
  /// The keys' strings, for `InputParser`, without mouse introducers and ambiguous strings.
  public var keys: [[UInt8]: KeyStroke] {
    var table: [[UInt8]: KeyStroke] = [:]
    let mouse = string("kmous")
    for (capability, stroke) in Self.keyCapabilities {
      let bytes = string(capability)
      // A string without ESC would be a character; kmous starts a report; a lone ESC is decided by the timer.
      guard bytes.count > 1, bytes.first == 0x1B, bytes != mouse, table[bytes] == nil else { continue }
      table[bytes] = stroke
    }
    return table
  }

  /// The keys of capabilities, plain keys first: if two have the same string, the plainer is meant.
  ///
  /// Without the keypad's corners and centre (ka1…kc3), which share their strings with its digits.
  static let keyCapabilities: [(String, KeyStroke)] = {
    var all: [(String, KeyStroke)] = [
      ("kcuu1", .init(.up)), ("kcud1", .init(.down)), ("kcub1", .init(.left)), ("kcuf1", .init(.right)),
      ("khome", .init(.home)), ("kend", .init(.end)), ("kpp", .init(.pageUp)), ("knp", .init(.pageDown)),
      ("kich1", .init(.insert)), ("kdch1", .init(.delete)), ("kbs", .init(.backspace)),
      ("kent", .init(.enter)), ("kcbt", .init(.tab, .shift)),
      ("kcbt2", .init(.tab, .shift)), ("kri", .init(.up, .shift)), ("kind", .init(.down, .shift)),
      ("kLFT", .init(.left, .shift)), ("kRIT", .init(.right, .shift)), ("kHOM", .init(.home, .shift)),
      ("kEND", .init(.end, .shift)), ("kPRV", .init(.pageUp, .shift)), ("kNXT", .init(.pageDown, .shift)),
      ("kIC", .init(.insert, .shift)), ("kDC", .init(.delete, .shift)),
    ]
    // F13 and above are the twelve keys with modifiers, in xterm's order.
    let groups: [Modifiers] = [[], .shift, .ctrl, [.ctrl, .shift], .alt, [.alt, .shift]]
    for number in 1...63 {
      let (group, key) = (number - 1).quotientAndRemainder(dividingBy: 12)
      all.append(("kf\(number)", KeyStroke(.function(key + 1), groups[group])))
    }
    // ncurses' extended names: the shifted name followed by xterm's modifier parameter.
    let extended: [(String, Key)] = [
      ("kUP", .up), ("kDN", .down), ("kLFT", .left), ("kRIT", .right), ("kHOM", .home), ("kEND", .end),
      ("kPRV", .pageUp), ("kNXT", .pageDown), ("kIC", .insert), ("kDC", .delete),
    ]
    all += [("kUP", .init(.up, .shift)), ("kDN", .init(.down, .shift))]
    for (name, key) in extended {
      for parameter in 3...8 {
        all.append(("\(name)\(parameter)", KeyStroke(key, Modifiers(xtermParameter: parameter))))
      }
    }
    return all
  }()
}
