import CellGraphics
import DecodePool
import Pixels
import Playback

/// A row of small frames from the whole clip, shown above the bar while seeking; above a short bar, only the frame at the
/// target.
///
/// Loaded once, coarsest first, on the players' threads at the lowest priority. Screen thread only.
final class ThumbnailStrip {
  /// Display time after the last seek, in nanoseconds.
  static let linger: HostTime = 1_000_000_000
  /// Number of frames loaded and kept, whatever the pane's width.
  private static let count = 32
  /// In blitter pixels, which are about square.
  private static let size = PixelSize(width: 16, height: 10)
  /// Lighter than black, so that dark thumbnails have visible edges.
  private static let ground = CellColor.rgb(40, 42, 48)
  private static let minRows = 14
  private static let nothing = PixelImage(size: PixelSize(width: 1, height: 1)) { _ in }

  private struct Thumbnail {
    var image: PixelImage
    /// For all but the one at the target.
    var dimmed: PixelImage
  }

  private var thumbnails = [Thumbnail?](repeating: nil, count: count)
  /// Start times of the thumbnails' frames.
  private var times = [MediaTime?](repeating: nil, count: count)
  private let duration: MediaTime
  /// The requested times: the middles of equal parts.
  private let middles: [MediaTime]
  private var isRefined = false
  /// In longer clips, only keyframes are decoded for the strip.
  private static let maxRefinedDuration = MediaTime(value: 600, timescale: 1)
  private var generator: ImageGenerator?
  /// Results of the generator.
  private let inbox: Inbox<(index: Int, answer: GeneratedImage)>
  /// Number of outstanding answers.
  private var missingCount = 0

  /// Fewer thumbnails than this give no overview.
  private static let minSlots = 3

  /// Returns true if a pane with this many cells between title and bar has room for a strip.
  static func fits(_ cells: CellSize) -> Bool { cells.height >= minRows && cells.width > 2 * size.width }

  /// Starts loading.
  ///
  /// - Parameters:
  ///   - videoTrack: nil for the preferred one.
  ///   - wake: Called from any thread when there is something new.
  init(
    asset: Asset, videoTrack: AssetTrack?, duration: MediaTime, context: PlaybackContext, wake: @escaping @Sendable () -> Void
  ) {
    self.duration = duration
    middles = ContactSheet.times(count: Self.count, duration: duration)
    inbox = Inbox(wake: wake)
    let generator = ImageGenerator(asset: asset, videoTrack: videoTrack, context: context)
    generator.maximumSize = Self.size
    self.generator = generator
    load(Self.order)
  }

  private func load(_ indices: [Int]) {
    missingCount += indices.count
    for index in indices {
      generator?.generateImages(at: [middles[index]]) { [inbox] in inbox.put((index, $0)) }
    }
  }

  /// If keyframes are sparse, fetches frames nearer to their places, in decode order.
  private func refine() {
    let part = duration * (1 / Double(Self.count))
    let far = times.indices.filter { index in times[index].map { middles[index] - $0 > part } ?? false }
    guard !isRefined, !far.isEmpty, duration <= Self.maxRefinedDuration else {
      // Its decoder is no longer needed.
      generator = nil
      return
    }
    isRefined = true
    generator?.requestedTimeToleranceBefore = part * 0.5
    generator?.requestedTimeToleranceAfter = part * 0.5
    load(far)
  }

  /// Halves, quarters, eighths and so on, so that the whole clip is covered early.
  private static let order: [Int] = (0..<count).sorted { reversed($0) < reversed($1) }

  private static func reversed(_ index: Int) -> Int {
    var (rest, result, n) = (index, 0, 1)
    while n < count {
      result = result << 1 | rest & 1
      rest >>= 1
      n <<= 1
    }
    return result
  }

  /// Handles results. Returns true if there were any.
  func catchUp() -> Bool {
    guard generator != nil else { return false }
    let new = inbox.take()
    missingCount -= new.count
    for (index, answer) in new {
      guard let image = answer.image else { continue }
      thumbnails[index] = Thumbnail(image: image, dimmed: Self.dimmed(image))
      times[index] = answer.actualTime
    }
    if missingCount == 0 { refine() }
    return !new.isEmpty
  }

  private static func dimmed(_ image: PixelImage) -> PixelImage {
    PixelImage(size: image.size) { out in
      image.withBytes { bytes in
        for i in bytes.indices { out[i] = UInt8(Int(bytes[i]) * 5 / 8) }
      }
    }
  }

  /// The position of the strip in a pane.
  struct Place {
    /// The cells between title and bar.
    var body: CellRect
    /// The bar, whose columns represent the whole clip.
    var track: CellRect
    /// Position of the target in the clip, 0…1; NaN if unknown.
    var fraction: Double
  }

  /// The geometry and contents of the strip.
  struct Arrangement {
    var rect: CellRect
    /// Number of thumbnails side by side; a single one is placed above the target.
    var slots: Int
    /// Position of the target in the clip, 0…1.
    var fraction: Double
  }

  /// The arrangement of the strip in a pane; nil if there is no room or nothing to show yet, since the frame is worth more
  /// than an empty row.
  func arrangement(in place: Place, blitter: Blitter) -> Arrangement? {
    let (body, track) = (place.body, place.track)
    guard Self.fits(body.size), thumbnails.contains(where: { $0 != nil }) else { return nil }
    let fraction = place.fraction.isFinite ? min(max(place.fraction, 0), 1) : 0
    let room = min(Self.count, track.width / (Self.size.width + 1))
    let isLone = room < Self.minSlots
    // A single thumbnail over the frame has an edge all around.
    let height = Self.size.height + (isLone ? 2 : 0)
    let rows = (height + blitter.blockHeight - 1) / blitter.blockHeight
    guard rows <= body.height else { return nil }
    var rect = CellRect(x: track.x, y: body.maxY - rows, width: track.width, height: rows)
    if isLone {
      let middle = track.x + Int((fraction * Double(track.width)).rounded())
      rect.width = min(Self.size.width + 2, body.width)
      rect.x = max(body.x, min(middle - rect.width / 2, body.maxX - rect.width))
    }
    return Arrangement(rect: rect, slots: isLone ? 1 : room, fraction: fraction)
  }

  /// The strip in its cells, which represent the whole clip from left to right, or only the target.
  func layers(_ arrangement: Arrangement, blitter: Blitter) -> [FrameLayer] {
    let (strip, slots, fraction) = (arrangement.rect, arrangement.slots, arrangement.fraction)
    var layers = [
      FrameLayer(image: Self.nothing, cells: strip, imageRect: PixelRect(x: 0, y: 0, width: 0, height: 0), backdrop: Self.ground)
    ]
    let chosen = min(slots - 1, Int(fraction * Double(slots)))
    for slot in 0..<slots {
      let place = slots == 1 ? fraction : (Double(slot) + 0.5) / Double(slots)
      guard let thumbnail = thumbnail(at: place, within: slots == 1 ? Self.count / 4 : Self.count / slots) else { continue }
      let left = strip.x + slot * strip.width / slots
      let right = strip.x + (slot + 1) * strip.width / slots
      let cells = CellRect(x: left, y: strip.y, width: right - left, height: strip.height)
      let box = blitter.pixelSize(ofCells: cells.size)
      let image = slot == chosen ? thumbnail.image : thumbnail.dimmed
      layers.append(
        FrameLayer(
          image: image, cells: cells,
          imageRect: PixelRect(
            x: (box.width - image.width) / 2, y: (box.height - image.height) / 2, width: image.width,
            height: image.height), backdrop: Self.ground))
    }
    return layers
  }

  /// The loaded thumbnail nearest to a position, within a distance; nil if there is none.
  private func thumbnail(at fraction: Double, within distance: Int) -> Thumbnail? {
    let index = min(Self.count - 1, Int(fraction * Double(Self.count)))
    let near = thumbnails.indices.lazy.filter { abs($0 - index) <= distance && self.thumbnails[$0] != nil }
    return near.min { abs($0 - index) < abs($1 - index) }.flatMap { thumbnails[$0] }
  }
}
