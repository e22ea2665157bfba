import CellGraphics

/// Commands of iTerm2's inline images.
///
/// Source: iterm2.com/documentation-images.html.
enum ITermCommands {
  /// Displays an image file at the cursor, scaled to a number of cells.
  static func show(_ file: [UInt8], cells: CellSize, into bytes: inout [UInt8]) {
    bytes += Array("\u{1B}]1337;File=inline=1;size=\(file.count);width=\(cells.width);height=\(cells.height);".utf8)
    // The last one is WezTerm's. At the end of the screen, others scroll if the cursor moves.
    bytes += Array("preserveAspectRatio=0;doNotMoveCursor=1:".utf8)
    file.withUnsafeBufferPointer { Base64.append($0, to: &bytes) }
    bytes.append(0x07)
  }
}
