import CUchardet

extension TextEncoding {
  /// Bytes that are looked at: some thousand lines of subtitles.
  private static let detectedIn = 256 << 10

  /// Encodings of which others are a part, under the names that uchardet gives to the parts; real files are in the whole ones.
  private static let supersets = [
    "ISO-8859-1": "WINDOWS-1252", "ISO-8859-9": "WINDOWS-1254", "TIS-620": "CP874", "SHIFT_JIS": "CP932", "GB2312": "GB18030",
    "BIG5": "BIG5-HKSCS",
  ]

  /// iconv's name of the encoding that 8-bit text seems to be in; nil where nothing speaks for any.
  static func detected(_ bytes: [UInt8]) -> String? {
    guard let detector = uchardet_new() else { return nil }
    defer { uchardet_delete(detector) }
    let code = bytes.prefix(detectedIn).withUnsafeBytes { part in
      uchardet_handle_data(detector, part.baseAddress?.assumingMemoryBound(to: CChar.self), part.count)
    }
    guard code == 0 else { return nil }
    uchardet_data_end(detector)
    guard let name = uchardet_get_charset(detector).map({ String(cString: $0) }) else { return nil }
    // "MAC-…" is its word for a few quotation marks among plain letters; the other two have been looked for before.
    if name.isEmpty || name == "ASCII" || name == "UTF-8" || name.hasPrefix("MAC-") { return nil }
    let encoding = supersets[name] ?? name
    return SubtitleFile.isEncoding(encoding) ? encoding : nil
  }
}
