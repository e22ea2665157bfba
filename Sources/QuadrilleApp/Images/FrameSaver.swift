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
  ///
  /// - Parameter part: The part to save; nil for the whole frame.
  func save(_ timing: FrameTiming, part: FrameRegion? = nil) {
    let name = Self.fileName(clip: asset.path, timing, isPart: part != nil)
    guard let ticket = saves.begin("\(name)") else {
      return news.put("not saved: \(PendingSaves.maxPending) frames are already waiting to be saved")
    }
    // The closure retains this object, and so the generator, until the result arrives.
    generator.generateImage(of: timing) { [self] answer in
      var hasFailed = true
      do {
        let image = try answer.get().image
        let bytes = try ImageFile.encode(part.map(image.part) ?? image, as: .png)
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
  static func fileName(clip: String, _ timing: FrameTiming, isPart: Bool = false) -> String {
    let last = FilePath.parts(Asset.bytes(ofPath: clip)).last.map { Asset.path(ofBytes: Array($0)) }
    let name = WebAddress.fileName(of: clip) ?? last ?? "frame"
    var stem = name
    // The name of a camera is that of a server.
    if let dot = name.lastIndex(of: "."), dot > name.startIndex, !WebAddress.isLive(clip) { stem = String(name[..<dot]) }
    // File names have at most 255 bytes; a single character may have more.
    while stem.utf8.count > 200 { stem.removeLast() }
    // A name that starts with - would be taken for an option.
    if stem.isEmpty || stem.utf8.first == UInt8(ascii: "-") { stem = "clip" + stem }
    let text = timing.pts > .zero ? timing.clockText() : MediaTime.zero.clockText(fractionDigits: 3)
    var clock = text.split(separator: ":").map(String.init)
    if clock.count == 2 { clock.insert("0", at: 0) }
    if clock.count == 3, clock[1].count == 1 { clock[1] = "0" + clock[1] }
    return "\(stem)-\(clock.joined(separator: "."))\(timing.originalPTS.map { "-pts\($0)" } ?? "")\(isPart ? "-view" : "").png"
  }
}

extension PixelImage {
  /// Returns a part of the image, at least one pixel.
  func part(_ region: FrameRegion) -> PixelImage {
    func span(_ start: Double, _ length: Double, _ total: Int) -> (Int, Int) {
      let count = min(total, max(1, Int((length * Double(total)).rounded())))
      return (min(max(0, Int((start * Double(total)).rounded())), total - count), count)
    }
    let (x, width) = span(region.x, region.width, self.width), (y, height) = span(region.y, region.height, self.height)
    return PixelImage(size: PixelSize(width: width, height: height)) { self[x + $0, y + $1] }
  }
}
