import Glibc
import Playback

/// The text form of volumes: "0.5", "-6dB", or several with their times: "0 at 0, 1 at 2.5, -6dB at 0:10".
enum VolumeText {
  static let expected = """
    a volume from 0 to 8 such as 0.5 or -6dB, or several in the order of their times, such as "0 at 0, 1 at 2.5, -6dB at 0:10"
    """
  private static let word = " at "
  private static let range = 0.0...8.0

  /// Parses volumes; nil if the text is invalid.
  static func read(_ text: String, rate: Ratio?) -> [MovieSound.Point]? {
    if let volume = volume(text) { return [MovieSound.Point(time: .zero, volume: volume)] }
    var points: [MovieSound.Point] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let part = part.drop { $0 == " " }
      guard let found = part.firstRange(of: word), let volume = volume(String(part[..<found.lowerBound])),
        let time = TimeText.time(String(part[found.upperBound...].prefix { $0 != " " }), rate: rate), time >= .zero,
        points.last.map({ $0.time < time }) ?? true
      else { return nil }
      points.append(MovieSound.Point(time: time, volume: volume))
    }
    return points.isEmpty ? nil : points
  }

  private static func volume(_ text: String) -> Double? {
    let isLevel = text.lowercased().hasSuffix("db")
    guard let number = Double(isLevel ? String(text.dropLast(2)) : text), number.isFinite else { return nil }
    let volume = isLevel ? pow(10, number / 20) : number
    return range.contains(volume) ? volume : nil
  }

  /// The text of volumes, of which there is at least one.
  static func text(_ points: [MovieSound.Point]) -> String {
    if points.count == 1, points[0].time == .zero { return YAMLText.number(points[0].volume) }
    return points.map { "\(YAMLText.number($0.volume))\(word)\(TimeText.text($0.time))" }.joined(separator: ", ")
  }
}
