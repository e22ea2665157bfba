import Glibc
import Libav

/// An output file that is written completely or not at all, and never over an input.
///
/// Names are as returned by `Asset.path(ofBytes:)`. A link stays a link: its target is written, even if that does not exist
/// yet. Devices, pipes and the targets of standard output or error are written directly. Calls block, but not for long on a
/// pipe without a reader. Use from one thread at a time.
package final class OutputFile {
  /// The file's name, as passed to `init`.
  public let path: String

  private enum Destination {
    /// A regular file, existing or not, under the name that links lead to.
    case file(String)
    /// A device or a pipe.
    case stream(Descriptor)
  }

  private let destination: Destination
  private let isPrivate: Bool

  /// Checks that the file can be written, without changing anything.
  ///
  /// - Parameter clips: files that must not be overwritten, compared by identity, not by name.
  /// - Throws: `PlaybackError` if it cannot be written, with a message to follow the file's name.
  public convenience init(_ path: String, sparing clips: [String] = []) throws {
    try self.init(path, sparing: clips, isPrivate: false)
  }

  /// Like `init(_:sparing:)`.
  ///
  /// - Parameter isPrivate: true if only the user may read the file, whatever mode an existing one has.
  package init(_ path: String, sparing clips: [String] = [], isPrivate: Bool) throws {
    self.path = path
    self.isPrivate = isPrivate
    let status = FileName.status(of: path)
    guard status != nil || errno == ENOENT else { throw Self.failure(errno) }
    try Self.refuse(path, status, sparing: clips)
    if let status, let own = try Self.ownOutput(status) {
      destination = .stream(own)
    } else if let status, status.st_mode & S_IFMT != S_IFREG {
      destination = .stream(try Self.openStream(path, status))
    } else {
      destination = .file(try Self.place(of: path, exists: status != nil))
    }
  }

  /// Writes the file, replacing an existing one once the new one is complete.
  ///
  /// - Parameter clips: as for `init`; checked again, since they may have changed.
  /// - Throws: `PlaybackError`, with a message to follow the file's name.
  public func write(_ bytes: [UInt8], sparing clips: [String] = []) throws {
    switch destination {
    case .stream(let descriptor): try descriptor.put(bytes)
    case .file(let name):
      let status = FileName.status(of: name)
      try Self.refuse(name, status, sparing: clips)
      let scratch = try ScratchFile(in: FileName.folder(of: name))
      setMode(of: scratch, replacing: status)
      try scratch.descriptor.put(bytes)
      try scratch.replace(name)
    }
  }

  /// Writes a file piece by piece, replacing an existing one once the new one is complete.
  ///
  /// - Parameters:
  ///   - clips: as for `write`.
  ///   - body: receives a descriptor, owned by this object, and the path for reading what it has written; nil unless it
  ///     is an empty regular file, which is seekable. If it throws, nothing is left.
  /// - Throws: `PlaybackError`, with a message to follow the file's name, or an error of `body`.
  func stream<R>(sparing clips: [String], _ body: (_ descriptor: Int32, _ path: String?) throws -> R) throws -> R {
    switch destination {
    case .stream(let descriptor): return try body(descriptor.number, nil)
    case .file(let name):
      try Self.refuse(name, FileName.status(of: name), sparing: clips)
      let scratch = try ScratchFile(in: FileName.folder(of: name))
      let result = try body(scratch.descriptor.number, scratch.path)
      // Checks that there is room for everything written.
      try scratch.descriptor.put([])
      let status = FileName.status(of: name)
      try Self.refuse(name, status, sparing: clips)
      setMode(of: scratch, replacing: status)
      try scratch.replace(name)
      return result
    }
  }

  /// Gives a file the mode of the one that it replaces, if any.
  private func setMode(of scratch: ScratchFile, replacing status: stat?) {
    let mode = status.map { $0.st_mode & 0o777 } ?? 0o666
    if isPrivate { fchmod(scratch.descriptor.number, mode & 0o600) } else if status != nil { fchmod(scratch.descriptor.number, mode) }
  }

  /// Writes a new file under the first free of the names "a.png", "a-2.png", "a-3.png" and so on.
  ///
  /// - Returns: the name used.
  /// - Throws: `PlaybackError`, with a message to follow the file's name.
  public static func writeNew(_ bytes: [UInt8], at path: String) throws -> String {
    let scratch = try ScratchFile(in: FileName.folder(of: path))
    try scratch.descriptor.put(bytes)
    let dot = path.utf8.lastIndex(of: UInt8(ascii: ".")) ?? path.endIndex
    for number in 1...9999 {
      let name = number == 1 ? path : "\(path[..<dot])-\(number)\(path[dot...])"
      if try scratch.place(at: name) { return name }
    }
    throw failure(EEXIST)
  }

  /// Creates a file under the first free of the names "a.mkv", "a-2.mkv" and so on, to be written piece by piece.
  ///
  /// - Returns: the file, and the name used.
  /// - Throws: `PlaybackError`, with a message to follow the file's name.
  static func createNew(at path: String) throws -> (file: Descriptor, name: String) {
    let dot = path.utf8.lastIndex(of: UInt8(ascii: ".")) ?? path.endIndex
    for number in 1...9999 {
      let name = number == 1 ? path : "\(path[..<dot])-\(number)\(path[dot...])"
      let file = FileName.withBytes(name) { open($0, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) }
      if file >= 0 { return (Descriptor(file), name) }
      guard errno == EEXIST else { throw failure(errno) }
    }
    throw failure(EEXIST)
  }

  /// Opens a file to append to, creating it if necessary.
  ///
  /// - Returns: a descriptor owned by the caller. Writing to it never blocks.
  /// - Throws: `PlaybackError`, with a message to follow the file's name.
  static func openToAppend(_ path: String, sparing clips: [String]) throws -> Int32 {
    let status = FileName.status(of: path)
    try refuse(path, status, sparing: clips)
    if let status, status.st_mode & S_IFMT != S_IFREG { return try openStream(path, status).release() }
    let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK
    let file = FileName.withBytes(path) { open($0, flags, 0o644) }
    guard file >= 0 else { throw failure(errno) }
    return file
  }

  // MARK: - What may be written

  /// Rejects a path that is one of the inputs, under whichever name.
  private static func refuse(_ path: String, _ status: stat?, sparing clips: [String]) throws {
    let isClip = clips.contains { clip in
      // Names that are equal in Swift may have different bytes.
      if clip.utf8.elementsEqual(path.utf8) { return true }
      guard let status, let other = FileName.status(of: clip) else { return false }
      return other.st_dev == status.st_dev && other.st_ino == status.st_ino
    }
    if isClip { throw PlaybackError(.system, "refusing to overwrite an input file") }
  }

  /// Returns a copy of standard output or error if the path refers to it, as /dev/stdout does.
  ///
  /// Others may write to a file there, and replacing it would lose their output.
  private static func ownOutput(_ status: stat) throws -> Descriptor? {
    for number in [STDOUT_FILENO, STDERR_FILENO] {
      var own = stat()
      guard fstat(number, &own) == 0, own.st_dev == status.st_dev, own.st_ino == status.st_ino else { continue }
      let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
      guard copy >= 0 else { throw failure(errno) }
      return Descriptor(copy)
    }
    return nil
  }

  private static func openStream(_ path: String, _ status: stat) throws -> Descriptor {
    switch status.st_mode & S_IFMT {
    case S_IFDIR: throw PlaybackError(.notAFile, "is a folder")
    case S_IFSOCK: throw PlaybackError(.notAFile, "is a socket")
    default: break
    }
    // Non-blocking, so that a pipe without a reader is an error.
    let file = FileName.withBytes(path) { open($0, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) }
    if file < 0, errno == ENXIO, status.st_mode & S_IFMT == S_IFIFO {
      throw PlaybackError(.notAFile, "is a pipe with no reader")
    }
    guard file >= 0 else { throw failure(errno) }
    return Descriptor(file)
  }

  /// Returns the name that links lead to, if a file can be written there.
  private static func place(of path: String, exists: Bool) throws -> String {
    var name = path
    var links = 0
    while let target = FileName.linkTarget(of: name) {
      links += 1
      guard links <= 40 else { throw failure(ELOOP) }
      name = target.utf8.first == UInt8(ascii: "/") ? target : FileName.folder(of: name) + target
    }
    let folder = FileName.folder(of: name)
    // A file without write permission is not replaced either.
    let needs = [(folder.isEmpty ? "." : folder, W_OK | X_OK)] + (exists ? [(name, W_OK)] : [])
    for (name, access) in needs {
      guard FileName.withBytes(name, { faccessat(AT_FDCWD, $0, access, AT_EACCESS) }) == 0 else { throw failure(errno) }
    }
    return name
  }

  static func failure(_ code: Int32) -> PlaybackError { PlaybackError("cannot be written", errno: code) }
}
