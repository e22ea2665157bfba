import Movies
import Playback
import Terminal

/// Saves frames of one video track of a clip in full size as PNG files in the current folder, on a thread that all panes share.
///
/// Safe from any thread. A save that was begun goes on when the pane goes.
final class FrameSaver: Sendable {
  private let asset: Asset
  private let generator: ImageGenerator
  private let saves: PendingSaves
  private let news: Inbox<TerminalText>

  /// - Parameters:
  ///   - videoTrack: nil for the preferred one.
  ///   - news: gets what has come of each save, in words.
  init(asset: Asset, videoTrack: AssetTrack?, saves: PendingSaves, news: Inbox<TerminalText>) {
    self.asset = asset
    self.saves = saves
    self.news = news
    generator = ImageGenerator(asset: asset, videoTrack: videoTrack, pool: saves.sharedPool)
  }

  /// Begins to save the frame with this timing.
  func save(_ timing: FrameTiming) {
    let name = Self.fileName(clip: asset.path, timing)
    guard let ticket = saves.begin("\(name)") else {
      return news.put("not saved: \(PendingSaves.maxPending) frames are already waiting to be saved")
    }
    // The answer holds this object, and so the generator, until it has come.
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

  /// `clip-0.01.02.500-pts640000.png`, for the current folder: the frame's time, and the stream's own stamp if it has one.
  static func fileName(clip: String, _ timing: FrameTiming) -> String {
    let name = FilePath.parts(Asset.bytes(ofPath: clip)).last.map { Asset.path(ofBytes: Array($0)) } ?? "frame"
    var stem = name
    if let dot = name.lastIndex(of: "."), dot > name.startIndex { stem = String(name[..<dot]) }
    // A name that begins with - would be taken for an option.
    if stem.utf8.first == UInt8(ascii: "-") { stem = "clip" + stem }
    // Names have at most 255 bytes.
    while stem.utf8.count > 200 { stem.removeLast() }
    let text = timing.pts > .zero ? timing.clockText() : MediaTime.zero.clockText(fractionDigits: 3)
    var clock = text.split(separator: ":").map(String.init)
    if clock.count == 2 { clock.insert("0", at: 0) }
    if clock.count == 3, clock[1].count == 1 { clock[1] = "0" + clock[1] }
    return "\(stem)-\(clock.joined(separator: "."))\(timing.originalPTS.map { "-pts\($0)" } ?? "").png"
  }
}
