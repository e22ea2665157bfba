import Movies
import Playback
import Terminal

/// Saves frames of one video track as full-size PNG files in the current folder, on a thread shared by all panes.
///
/// Safe from any thread. A save in progress completes even if the pane is closed.
final class FrameSaver: Sendable {
  private let asset: Asset
  private let generator: ImageGenerator
  private let saves: PendingSaves
  private let news: Inbox<TerminalText>

  /// - Parameters:
  ///   - videoTrack: The track, or nil for the preferred one.
  ///   - news: Receives the result of each save as text.
  init(asset: Asset, videoTrack: AssetTrack?, saves: PendingSaves, news: Inbox<TerminalText>) {
    self.asset = asset
    self.saves = saves
    self.news = news
    generator = ImageGenerator(asset: asset, videoTrack: videoTrack, pool: saves.sharedPool)
  }

  /// Starts saving the frame with the given timing.
  func save(_ timing: FrameTiming) {
    let name = Self.fileName(clip: asset.path, timing)
    guard let ticket = saves.begin("\(name)") else {
      return news.put("not saved: \(PendingSaves.maxPending) frames are already waiting to be saved")
    }
    // The closure retains this object, and so the generator, until the result arrives.
    generator.generateImage(of: timing) { [self] answer in
      var hasFailed = true
      do {
        let bytes = try ImageFile.encode(try answer.get().image, as: .png)
        if saves.mayWrite(ticket) {
          news.put("saved \(try OutputFile.writeNew(bytes, at: name))")
          hasFailed = false
        }
      } catch {
        news.put("not saved: \(name) \(describing: error)")
      }
      saves.end(ticket, hasFailed: hasFailed)
    }
  }

  /// A file name in the current folder such as `clip-0.01.02.500-pts640000.png`: the frame's time and its PTS in the stream, if any.
  static func fileName(clip: String, _ timing: FrameTiming) -> String {
    let name = FilePath.parts(Asset.bytes(ofPath: clip)).last.map { Asset.path(ofBytes: Array($0)) } ?? "frame"
    var stem = name
    if let dot = name.lastIndex(of: "."), dot > name.startIndex { stem = String(name[..<dot]) }
    // File names have at most 255 bytes; a single character may have more.
    while stem.utf8.count > 200 { stem.removeLast() }
    // A name that starts with - would be taken for an option.
    if stem.isEmpty || stem.utf8.first == UInt8(ascii: "-") { stem = "clip" + stem }
    let text = timing.pts > .zero ? timing.clockText() : MediaTime.zero.clockText(fractionDigits: 3)
    var clock = text.split(separator: ":").map(String.init)
    if clock.count == 2 { clock.insert("0", at: 0) }
    if clock.count == 3, clock[1].count == 1 { clock[1] = "0" + clock[1] }
    return "\(stem)-\(clock.joined(separator: "."))\(timing.originalPTS.map { "-pts\($0)" } ?? "").png"
  }
}
