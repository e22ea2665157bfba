import Playback

extension PlayOptions {
  /// Records what arrives from live sources: from the only one to a file of that name, from several to files with a number each,
  /// in their order: `cam-1.mkv`, `cam-2.mkv`.
  ///
  /// - Returns: False if there is no live source.
  public mutating func record(to name: String) -> Bool {
    let count = clips.reduce(0) { $0 + $1.clips.count(where: \.isLive) }
    let dot = name.lastIndex(of: ".") ?? name.endIndex
    var number = 0
    for index in clips.indices {
      clips[index].setRecordings { clip in
        guard clip.isLive else { return nil }
        number += 1
        return count == 1 ? name : "\(name[..<dot])-\(number)\(name[dot...])"
      }
    }
    return count > 0
  }
}
