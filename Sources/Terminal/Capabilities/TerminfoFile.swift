import Glibc

/// Validates a compiled terminfo entry before ncurses reads it.
///
/// ncurses trusts the file's contents, so a damaged one can crash the process. The format is described in term(5).
enum TerminfoFile {
  /// The database files that may hold the entry of a type, in all folders that ncurses searches.
  static func places(of name: String) -> [String] {
    guard let first = name.utf8.first, !name.utf8.contains(UInt8(ascii: "/")) else { return [] }
    func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
    var folders: [String] = []
    if let folder = variable("TERMINFO") { folders.append(folder) }
    if let home = variable("HOME") { folders.append(home + "/.terminfo") }
    folders += (variable("TERMINFO_DIRS") ?? "").split(separator: ":").map(String.init)
    folders += ["/etc/terminfo", "/lib/terminfo", "/usr/share/terminfo", "/usr/lib/terminfo", "/usr/local/share/terminfo"]
    let letter = String(UnicodeScalar(first)), number = String(first, radix: 16)
    return folders.flatMap { ["\($0)/\(letter)/\(name)", "\($0)/\(number)/\(name)"] }
  }

  /// The first damaged file that may hold the entry of a type; nil if there is none.
  static func damaged(_ name: String) -> String? {
    places(of: name).first { path in read(path).map { !isSound($0) } ?? false }
  }

  /// More than ncurses reads of any file.
  private static let longest = 1 << 17

  /// The contents of a regular file; nil if there is none.
  private static func read(_ path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    var bytes = [UInt8](repeating: 0, count: longest)
    var count = 0
    while count < bytes.count {
      let got = bytes.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress.map { $0 + count }, $0.count - count) }
      if got <= 0 { break }
      count += got
    }
    return Array(bytes[..<count])
  }

  /// Returns true if everything an entry refers to is inside it.
  static func isSound(_ bytes: [UInt8]) -> Bool {
    var rest = Reader(bytes)
    guard let magic = rest.short() else { return false }
    let numberSize: Int
    switch magic {
    case 0o432: numberSize = 2
    case 0o1036: numberSize = 4
    default: return true  // ncurses rejects a file with any other magic number.
    }
    guard let sizes = rest.shorts(5), sizes.allSatisfy({ $0 >= 0 }), let names = rest.bytes(sizes[0]),
      names.last == 0, names.dropLast().allSatisfy({ $0 >= 0x20 }), let flags = rest.bytes(sizes[1]),
      flags.allSatisfy({ $0 <= 1 || $0 >= 0xFE }), rest.align(), rest.bytes(sizes[2] * numberSize) != nil,
      let offsets = rest.shorts(sizes[3]), let table = rest.bytes(sizes[4]), ends(of: offsets, in: table) != nil
    else { return false }
    if rest.isEmpty { return true }
    // The extended names and values of ncurses. Some files end with a padding byte.
    guard rest.align(), let extended = rest.shorts(5) else { return rest.count < 10 }
    let (flagCount, numberCount, stringCount) = (extended[0], extended[1], extended[2])
    guard extended.allSatisfy({ $0 >= 0 }), let moreFlags = rest.bytes(flagCount),
      moreFlags.allSatisfy({ $0 <= 1 || $0 >= 0xFE }), rest.align(), rest.bytes(numberCount * numberSize) != nil,
      let values = rest.shorts(stringCount), let labels = rest.shorts(flagCount + numberCount + stringCount),
      let extendedTable = rest.bytes(extended[4]), let base = ends(of: values, in: extendedTable)
    else { return false }
    // The names follow the values.
    return base <= extendedTable.count && labels.allSatisfy { $0 >= 0 }
      && ends(of: labels, in: Array(extendedTable[base...])) != nil
  }

  /// The total length of the strings at the offsets; nil if one does not end inside the table.
  private static func ends(of offsets: [Int], in table: [UInt8]) -> Int? {
    var sum = 0
    for offset in offsets where offset >= 0 {
      guard offset < table.count, let end = table[offset...].firstIndex(of: 0) else { return nil }
      sum += end - offset + 1
    }
    // −1 is an absent string, −2 a cancelled one.
    return offsets.allSatisfy { $0 >= -2 } ? sum : nil
  }

  private struct Reader {
    private var rest: ArraySlice<UInt8>
    private let start: Int

    init(_ bytes: [UInt8]) {
      rest = bytes[...]
      start = rest.startIndex
    }

    var isEmpty: Bool { rest.isEmpty }
    var count: Int { rest.count }

    mutating func bytes(_ count: Int) -> [UInt8]? {
      guard count >= 0, count <= rest.count else { return nil }
      defer { rest = rest.dropFirst(count) }
      return Array(rest.prefix(count))
    }

    mutating func short() -> Int? {
      bytes(2).map { Int(Int16(bitPattern: UInt16($0[0]) | UInt16($0[1]) << 8)) }
    }

    mutating func shorts(_ count: Int) -> [Int]? {
      guard count >= 0, 2 * count <= rest.count else { return nil }
      return (0..<count).compactMap { _ in short() }
    }

    /// Aligns to an even offset.
    mutating func align() -> Bool { (rest.startIndex - start) % 2 == 0 || bytes(1) != nil }
  }
}
