import Playback

extension MediaTime {
  /// The exact time as storyboards write it: "0:12.500" if up to nine decimals suffice, else "1001/30000".
  var storyText: String { isNumeric ? exactText(decimals: [3, 6, 9]) : "unknown" }

  /// Reads "12.5", "1:02.5", "1:02:03" or "1001/30000", exactly; nil for anything else and for negative times.
  init?(storyText text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    if parts.count == 2 {
      guard parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }),
        let value = Int64(Substring(parts[0])), let timescale = Int32(Substring(parts[1])), timescale > 0
      else { return nil }
      self.init(value: value, timescale: timescale)
    } else {
      guard let time = MediaTime(clockText: text), !text.hasPrefix("-"), !time.hasBeenRounded else { return nil }
      self = time
    }
  }
}
