import Glibc

/// Owns a locale with a UTF-8 ctype, independent of the environment.
///
/// `@unchecked Sendable`: the handle is made in `init`, freed in `deinit` and only read in between.
final class UTF8Locale: @unchecked Sendable {
  private let handle: locale_t

  /// The shared locale, or the error.
  static let found = Result { () throws(TerminalError) in try UTF8Locale() }

  /// The shared locale; nil on a system without one.
  static var shared: UTF8Locale? { try? found.get() }

  private init() throws(TerminalError) {
    // C.UTF-8 is built into glibc since 2.35; the others are for systems that lack it.
    for name in ["C.UTF-8", "C.utf8", "en_US.UTF-8", ""] {
      if let locale = newlocale(LC_CTYPE_MASK, name, nil) {
        let codeset = nl_langinfo_l(Int32(CODESET), locale)
        if let codeset, String(cString: codeset) == "UTF-8" {
          handle = locale
          return
        }
        freelocale(locale)
      } else if TerminalError.tellsWant(errno) {
        throw .system("loading a UTF-8 locale", code: errno)
      }
    }
    // glibc 2.41 sets ENOENT even if it could not open its files for want of descriptors.
    let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system("loading a UTF-8 locale", code: errno) }
    close(descriptor)
    throw .compositor("the system has no UTF-8 locale (C.UTF-8)")
  }

  deinit { freelocale(handle) }

  /// Runs `body` with this ctype on the calling thread only.
  func with<R>(_ body: () throws -> R) rethrows -> R {
    let former = uselocale(handle)
    defer { uselocale(former) }
    return try body()
  }
}
