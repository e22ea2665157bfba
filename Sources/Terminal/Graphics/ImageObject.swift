import Glibc

/// Pixels in shared memory for a terminal on the same machine, which removes them when it has read them.
///
/// A POSIX shared memory object is a file in /dev/shm, and may be named as either.
public enum ImageObject {
  private static let folder = "/dev/shm"
  /// Terminals remove only temporary files with the first part in their names.
  private static let prefix = "tty-graphics-protocol-quadrille-"

  /// The number of pieces that the system writes at once.
  private static let maxPieces = 1024

  /// Creates an object of pieces that follow each other, readable by this user only. Returns its name; nil if that is not
  /// possible.
  static func create(number: Int, _ pieces: [UnsafeRawBufferPointer]) -> String? {
    let name = "\(prefix)\(getpid())-\(number)"
    let file = open(path(name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var vectors = pieces.map { iovec(iov_base: UnsafeMutableRawPointer(mutating: $0.baseAddress), iov_len: $0.count) }[...]
    while let first = vectors.first {
      guard first.iov_len > 0 else {
        vectors.removeFirst()
        continue
      }
      let written = vectors.withUnsafeBufferPointer { writev(file, $0.baseAddress, Int32(min($0.count, maxPieces))) }
      guard written > 0 || (written < 0 && errno == EINTR) else {
        remove(name)
        return nil
      }
      drop(max(0, written), from: &vectors)
    }
    return name
  }

  /// Drops a number of bytes from the beginning.
  private static func drop(_ count: Int, from vectors: inout ArraySlice<iovec>) {
    var count = count
    while let first = vectors.first, count > 0 {
      if count < first.iov_len {
        vectors[vectors.startIndex].iov_base += count
        vectors[vectors.startIndex].iov_len -= count
        return
      }
      count -= first.iov_len
      vectors.removeFirst()
    }
  }

  /// The path of an object as a file.
  static func path(_ name: String) -> String { "\(folder)/\(name)" }

  /// Removes an object; the terminal may have done so.
  static func remove(_ name: String) { unlink(path(name)) }

  /// Removes the objects of programs that have been killed. May take a while in a folder with many files.
  public static func removeAbandoned() {
    guard let listing = opendir(folder) else { return }
    defer { closedir(listing) }
    while let entry = readdir(listing) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard name.hasPrefix(prefix), let process = pid_t(name.dropFirst(prefix.count).prefix { $0 != "-" }), process > 0,
        kill(process, 0) != 0, errno == ESRCH
      else { continue }
      remove(name)
    }
  }
}

/// Owns two objects of one pixel, by which a terminal proves that it reads objects of this machine.
public final class ImageTrial {
  /// Names of the objects, for shared memory and for a file.
  struct Names: Sendable {
    var sharedMemory: String
    var file: String
  }

  let names: Names

  /// Creates the objects; nil if that is not possible.
  public init?() {
    let pixel: [UInt8] = [0, 0, 0]
    func create(_ number: Int) -> String? { pixel.withUnsafeBytes { ImageObject.create(number: number, [$0]) } }
    guard let sharedMemory = create(0) else { return nil }
    guard let file = create(1) else {
      ImageObject.remove(sharedMemory)
      return nil
    }
    names = Names(sharedMemory: sharedMemory, file: file)
  }

  deinit {
    ImageObject.remove(names.sharedMemory)
    ImageObject.remove(names.file)
  }
}
