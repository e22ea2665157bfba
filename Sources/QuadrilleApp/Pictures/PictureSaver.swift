import DecodePool
import Playback
import Synchronization
import Terminal

/// Saves pictures of one clip in full size as PNG files in the current folder, on a thread of its own.
///
/// Safe from any thread. A save that was begun is finished, also when the pane goes.
final class PictureSaver: Sendable {
  /// What came of a save, for the viewer.
  struct News: Sendable {
    var text: TerminalText
    var isError: Bool
  }

  /// What the savers of all panes share: the thread they work on, and a count of what is under way, so that the
  /// program does not end in the middle of it.
  final class Ledger: Sendable {
    private let count = Monitor(0)
    private let pool = Mutex<DecodePool?>(nil)
    private let wake: @Sendable () -> Void

    /// - Parameter wake: called from any thread when a save has ended.
    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    /// Made when it is needed first.
    fileprivate var sharedPool: DecodePool {
      pool.withLock { pool in
        let made = pool ?? DecodePool(threads: 1)
        pool = made
        return made
      }
    }

    fileprivate func begin() { count.withLock { $0 += 1 } }

    fileprivate func end() {
      count.withLock { $0 -= 1 }
      count.broadcast()
      wake()
    }

    /// Waits for what is under way, at most some seconds.
    func finish() {
      let deadline = monotonicNanoseconds() + 10_000_000_000
      _ = count.wait(until: deadline) { $0 == 0 ? () : nil }
    }
  }

  private let asset: Asset
  private let generator: ImageGenerator
  private let ledger: Ledger
  private let news = Mutex<News?>(nil)

  init(asset: Asset, ledger: Ledger) {
    self.asset = asset
    self.ledger = ledger
    generator = ImageGenerator(asset: asset, pool: ledger.sharedPool)
  }

  /// Begins to save the picture with this timing.
  func save(_ timing: FrameTiming) {
    ledger.begin()
    let name = Self.fileName(clip: asset.path, timing)
    // The answer holds this object, and so the generator, until it has come.
    generator.generateImage(of: timing) { [self] answer in
      let result: News
      do {
        let path = try ImageFile.write(try answer.get().image, to: name, replaces: false)
        result = News(text: "saved \(path)", isError: false)
      } catch {
        let message = (error as? PlaybackError)?.message ?? String(describing: error)
        result = News(text: "not saved: \(name) \(message)", isError: true)
      }
      news.withLock { $0 = result }
      ledger.end()
    }
  }

  /// The newest result, once.
  func take() -> News? {
    news.withLock { news in
      defer { news = nil }
      return news
    }
  }

  /// `clip-0.01.02.500-pts640000.png`, for the current folder: the frame's time, and the stream's own stamp if it has one.
  static func fileName(clip: String, _ timing: FrameTiming) -> String {
    let name = clip.split(separator: "/").last.map(String.init) ?? "picture"
    var stem = name
    if let dot = name.lastIndex(of: "."), dot > name.startIndex { stem = String(name[..<dot]) }
    // Names have at most 255 bytes.
    while stem.utf8.count > 200 { stem.removeLast() }
    let text = timing.pts > .zero ? timing.clockText() : MediaTime.zero.clockText(fractionDigits: 3)
    var clock = text.split(separator: ":").map(String.init)
    if clock.count == 2 { clock.insert("0", at: 0) }
    if clock.count == 3, clock[1].count == 1 { clock[1] = "0" + clock[1] }
    return "\(stem)-\(clock.joined(separator: "."))\(timing.originalPTS.map { "-pts\($0)" } ?? "").png"
  }
}
