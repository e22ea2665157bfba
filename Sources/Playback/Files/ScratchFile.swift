import Glibc
import Libav

/// A new file that is not visible before it is complete.
///
/// Until then it has no name, if the file system supports that, so that nothing is left of it however the program ends.
/// Otherwise it is named `.quadrille-….part` meanwhile.
final class ScratchFile {
  let descriptor: Descriptor
  private let folder: String
  /// Its temporary name while it is incomplete.
  private var name: String?

  /// A path to read it, even if it has no name.
  var path: String { name ?? "/proc/self/fd/\(descriptor.number)" }

  /// - Parameter folder: with a trailing slash; empty for the current one.
  init(in folder: String) throws {
    self.folder = folder
    // O_TMPFILE, which Swift does not import.
    let nameless = O_WRONLY | O_CLOEXEC | O_DIRECTORY | 0o20_000_000
    let file = FileName.withBytes(folder.isEmpty ? "." : folder) { open($0, nameless, 0o666) }
    if file >= 0, access("/proc/self/fd/\(file)", F_OK) == 0 {
      descriptor = Descriptor(file)
      return
    }
    if file >= 0 { close(file) }
    let name = Self.freeName(in: folder)
    let named = FileName.withBytes(name) { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) }
    guard named >= 0 else { throw OutputFile.failure(errno) }
    descriptor = Descriptor(named)
    self.name = name
  }

  deinit {
    if let name { _ = FileName.withBytes(name, unlink) }
  }

  private static func freeName(in folder: String) -> String {
    "\(folder).quadrille-\(getpid())-\(UInt32.random(in: 0 ... .max)).part"
  }

  /// Names the file, replacing an existing file of that name.
  func replace(_ target: String) throws {
    // Linking does not replace; renaming does.
    let present = name ?? Self.freeName(in: folder)
    if name == nil {
      let code = link(present)
      guard code == 0 else { throw OutputFile.failure(code) }
      name = present
    }
    guard Self.both(present, target, rename) else { throw OutputFile.failure(errno) }
    name = nil
  }

  /// Names the file if the name is free. Returns false if it is not.
  func place(at target: String) throws -> Bool {
    if let name {
      // Linking fails if the name is taken, where renaming would replace the file. This object then removes the temporary
      // name.
      // takes the first away.
      if Self.both(name, target, Glibc.link) { return true }
      if errno == EEXIST { return false }
      guard errno == EPERM || errno == ENOTSUP || errno == ENOSYS else { throw OutputFile.failure(errno) }
      // The file system does not support hard links.
      var status = stat()
      if FileName.withBytes(target, { lstat($0, &status) }) == 0 { return false }
      guard Self.both(name, target, rename) else { throw OutputFile.failure(errno) }
      self.name = nil
      return true
    }
    let code = link(target)
    guard code == 0 || code == EEXIST else { throw OutputFile.failure(code) }
    return code == 0
  }

  /// Names the nameless file. Returns 0 or `errno`.
  private func link(_ target: String) -> Int32 {
    let own = "/proc/self/fd/\(descriptor.number)"
    return FileName.withBytes(target) { target in
      linkat(AT_FDCWD, own, AT_FDCWD, target, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno
    }
  }

  private static func both(
    _ old: String, _ new: String, _ call: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Int32
  ) -> Bool {
    FileName.withBytes(old) { old in FileName.withBytes(new) { call(old, $0) } } == 0
  }
}
