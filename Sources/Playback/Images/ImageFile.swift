import Glibc
import Libav
import Pixels

/// Writes pictures to files, PNG or JPEG by the name's extension; whole or not at all.
public enum ImageFile {
  /// Whether the name ends as a picture file that can be written: .png, .jpg or .jpeg.
  public static func canWrite(_ path: String) -> Bool { format(path) != nil }

  /// The most that libavcodec's encoder takes.
  private static let longestJPEGSide = 65_500

  static func format(_ path: String) -> ImageFormat? {
    let name = path.lowercased()
    if name.hasSuffix(".png") { return .png }
    return name.hasSuffix(".jpg") || name.hasSuffix(".jpeg") ? .jpeg : nil
  }

  /// Writes a picture; blocks until that is done.
  ///
  /// It is written beside its place under another name and then moved there, so nobody finds half of it.
  ///
  /// - Parameter replaces: whether a file of that name goes; else a number is put behind the name: "a-2.png".
  /// - Returns: the path written to.
  /// - Throws: `PlaybackError` that says why, in words that go behind the file's name.
  @discardableResult
  public static func write(_ image: PixelImage, to path: String, replaces: Bool) throws -> String {
    guard let format = format(path) else {
      throw PlaybackError(.system, "is no name of a picture; it has to end in .png, .jpg or .jpeg")
    }
    let bytes: [UInt8]
    if format == .jpeg, max(image.width, image.height) > longestJPEGSide {
      throw PlaybackError(.tooLarge, "cannot be written: a JPEG has at most \(longestJPEGSide) pixels a side")
    }
    do {
      bytes = try ImageEncoder.encode(image, as: format)
    } catch let error as AVError {
      throw PlaybackError(.system, "cannot be written: \(error.reason)")
    }
    var info = stat()
    if replaces, stat(path, &info) == 0, info.st_mode & S_IFMT != S_IFREG {
      if info.st_mode & S_IFMT == S_IFDIR { throw PlaybackError(.notAFile, "is a folder") }
      // A device or a pipe is written to, never replaced.
      try put(bytes, into: path, flags: O_WRONLY)
      return path
    }
    // Where a link points, not the link itself, is replaced.
    let target = replaces ? resolved(path) : path
    let folder = target.lastIndex(of: "/").map { target[...$0] } ?? ""
    let half = "\(folder).quadrille-\(getpid())-\(UInt32.random(in: 0 ... .max)).part"
    try put(bytes, into: half, flags: O_WRONLY | O_CREAT | O_EXCL)
    if replaces {
      guard rename(half, target) == 0 else { throw failure(errno, removing: half) }
      return path
    }
    return try place(half, at: target)
  }

  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  private static func put(_ bytes: [UInt8], into path: String, flags: Int32) throws {
    let descriptor = open(path, flags | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw failure(errno) }
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress.map { $0 + done }, bytes.count - done)
      }
      if count < 0 {
        if errno == EINTR { continue }
        let code = errno
        Glibc.close(descriptor)
        throw failure(code, removing: flags & O_CREAT != 0 ? path : nil)
      }
      done += count
    }
    // A full disk on the network tells only now.
    guard Glibc.close(descriptor) == 0 else {
      throw failure(errno, removing: flags & O_CREAT != 0 ? path : nil)
    }
  }

  /// Moves a file to the first free of the names "a.png", "a-2.png", "a-3.png" and so on.
  private static func place(_ half: String, at path: String) throws -> String {
    let dot = path.lastIndex(of: ".") ?? path.endIndex
    for number in 1...9999 {
      let name = number == 1 ? path : "\(path[..<dot])-\(number)\(path[dot...])"
      // A second name for the file fails where there is one already; renaming would replace it.
      if link(half, name) == 0 {
        unlink(half)
        return name
      }
      if errno == EEXIST { continue }
      var info = stat()
      guard errno == EPERM || errno == ENOTSUP || errno == ENOSYS else {
        throw failure(errno, removing: half)
      }
      // A file system without second names.
      if lstat(name, &info) == 0 { continue }
      guard rename(half, name) == 0 else { throw failure(errno, removing: half) }
      return name
    }
    throw failure(EEXIST, removing: half)
  }

  private static func failure(_ code: Int32, removing path: String? = nil) -> PlaybackError {
    if let path { unlink(path) }
    let reason = String(cString: strerror(code))
    return PlaybackError(.system, "cannot be written: \(reason.prefix(1).lowercased() + reason.dropFirst())")
  }
}
