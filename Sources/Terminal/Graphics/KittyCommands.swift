import CellGraphics
import Pixels

/// Commands of kitty's graphics protocol.
///
/// Source: sw.kovidgoyal.net/kitty/graphics-protocol.
enum KittyCommands {
  /// Numbers of the queries, which the replies repeat.
  enum Query: Int { case direct = 1, sharedMemory, file }

  private static let begin = Array("\u{1B}_G".utf8)
  private static let end = Array("\u{1B}\\".utf8)
  /// Bytes of data in one sequence, of which there may be several.
  private static let chunk = 4096

  /// Asks whether the terminal reads images from anywhere.
  static func queries(_ names: ImageTrial.Names?) -> [UInt8] {
    var bytes = begin + Array("i=\(Query.direct.rawValue),s=1,v=1,a=q,t=d,f=24;AAAA".utf8) + end
    guard let names else { return bytes }
    bytes += begin + Array("i=\(Query.sharedMemory.rawValue),s=1,v=1,a=q,t=s,f=24;".utf8)
    bytes += Base64.encoded("/" + names.sharedMemory) + end
    bytes += begin + Array("i=\(Query.file.rawValue),s=1,v=1,a=q,t=t,f=24;".utf8)
    bytes += Base64.encoded(ImageObject.path(names.file)) + end
    return bytes
  }

  /// Displays an object of three bytes per pixel at the cursor, which stays.
  static func show(
    object name: String, in medium: TerminalGraphics.Medium, _ size: PixelSize, id: UInt32, cells: CellSize, height: Int,
    into bytes: inout [UInt8]
  ) {
    bytes += begin
    bytes += Array("a=T,f=24,t=\(medium == .file ? "t" : "s"),s=\(size.width),v=\(size.height),\(place(id, cells, height));".utf8)
    bytes += Base64.encoded(medium == .file ? ImageObject.path(name) : "/" + name)
    bytes += end
  }

  /// Displays a PNG at the cursor, which stays.
  static func show(png: [UInt8], id: UInt32, cells: CellSize, height: Int, into bytes: inout [UInt8]) {
    var data: [UInt8] = []
    png.withUnsafeBufferPointer { Base64.append($0, to: &data) }
    var start = 0
    repeat {
      let stop = min(data.count, start + chunk)
      bytes += begin
      if start == 0 { bytes += Array("a=T,f=100,t=d,\(place(id, cells, height)),".utf8) }
      bytes += Array("m=\(stop < data.count ? 1 : 0);".utf8)
      bytes += data[start..<stop]
      bytes += end
      start = stop
    } while start < data.count
  }

  private static func place(_ id: UInt32, _ cells: CellSize, _ height: Int) -> String {
    "i=\(id),p=1,c=\(cells.width),r=\(cells.height),C=1,q=2,z=\(height)"
  }

  /// Removes an image.
  static func remove(_ id: UInt32, into bytes: inout [UInt8]) {
    bytes += begin + Array("a=d,d=I,i=\(id),q=2".utf8) + end
  }

  /// Removes all images on the screen.
  static let removeAll = begin + Array("a=d,d=A,q=2".utf8) + end
}
