import CUchardet

extension TextEncoding {
  /// The number of bytes examined: some thousand lines of subtitles.
  private static let detectedIn = 256 << 10

  /// Encodings by the subsets that uchardet reports; real files use the supersets.
  private static let supersets = [
    "ISO-8859-1": "WINDOWS-1252", "ISO-8859-9": "WINDOWS-1254", "TIS-620": "CP874", "SHIFT_JIS": "CP932", "GB2312": "GB18030",
    "BIG5": "BIG5-HKSCS",
  ]

  /// Returns iconv's name of the likely encoding of 8-bit text; nil if there is no evidence.
  static func detected(_ bytes: [UInt8]) -> String? {
    guard let detector = uchardet_new() else { return nil }
    defer { uchardet_delete(detector) }
    let code = bytes.prefix(detectedIn).withUnsafeBytes { part in
      uchardet_handle_data(detector, part.baseAddress?.assumingMemoryBound(to: CChar.self), part.count)
    }
    guard code == 0 else { return nil }
    uchardet_data_end(detector)
    guard let name = uchardet_get_charset(detector).map({ String(cString: $0) }) else { return nil }
    // It reports "MAC-…" for a few quotation marks among plain letters; the other two have been tested before.
    if name.isEmpty || name == "ASCII" || name == "UTF-8" || name.hasPrefix("MAC-") { return nil }
    let encoding = supersets[name] ?? name
    return SubtitleFile.isEncoding(encoding) ? encoding : nil
  }
}
