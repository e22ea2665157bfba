import CAss
import Glibc
import Pixels

/// Draws text with libass: owns an `ASS_Renderer`. Not thread-safe.
///
/// Everything may be hostile: sizes are limited, and no file is read but those of the system's fonts. What libass needs for a
/// scene is limited only in a `TypesettingProcess`.
public final class Typesetter: TextDrawing {
  public let isUsable = true
  private let handle: OpaquePointer
  private let fonts: FontCollection
  private var track: ScriptTrack?
  private var latest: TypesetText?

  /// The maximum number of cached glyphs, and of megabytes of their bitmaps.
  private static let cache = (glyphs: 4000, megabytes: 24)
  /// The longest side of a picture.
  static let maxSide = 8192
  /// The maximum number of a picture's areas that may be drawn over each other.
  private static let maxDepth = 48
  /// The maximum time of a processor for one scene, in seconds.
  private static let maxTime = 4.0

  /// Finds the system's fonts, which takes seconds if nobody has done so before.
  ///
  /// - Throws: `TypesettingError`; in particular if there is no font at all.
  public init(_ library: TypesettingLibrary) throws(TypesettingError) {
    fonts = try FontCollection(library)
    guard let handle = fonts.functions.renderer_init(fonts.handle) else { throw .outOfMemory }
    self.handle = handle
    fonts.functions.set_cache_limits(handle, Int32(Self.cache.glyphs), Int32(Self.cache.megabytes))
    // Text without a place of its own is laid out in what is left of a picture.
    fonts.functions.set_use_margins(handle, 1)
    fonts.functions.set_fonts(handle, nil, "sans-serif", Int32(qd_ass_default_fonts), nil, 1)
    guard try !draw(Self.trial).isEmpty else { throw .noFont }
  }

  deinit {
    track = nil
    fonts.functions.renderer_done(handle)
  }

  /// A letter that any font has.
  private static let trial = TypesettingScene(
    header: "[Script Info]\nPlayResX: 64\nPlayResY: 64\n",
    lines: [.init(text: "0,0,Default,,0,0,0,,A", start: 0, end: 1)], time: 0, size: PixelSize(width: 64, height: 64))

  public func add(_ font: TypesettingFont) { fonts.add(font) }

  public func draw(_ scene: TypesettingScene) throws(TypesettingError) -> TypesetText {
    try ScriptTrack.check(scene)
    let track: ScriptTrack
    if let former = self.track, former.header == scene.header {
      track = former
    } else {
      track = try ScriptTrack(scene.header, fonts)
    }
    self.track = track
    track.show(scene.lines)
    lay(out: scene)
    var change: Int32 = 0
    let start = Self.processorTime
    let images = fonts.functions.render_frame(handle, track.handle, Int64(scene.time), &change)
    guard Self.processorTime - start < Self.maxTime else {
      latest = nil
      throw .tooSlow
    }
    if change == 0, let latest, latest.size == scene.size { return latest }
    guard Self.area(images) <= Self.maxDepth * scene.size.area else {
      latest = nil
      throw .tooLarge
    }
    let text = TypesetText(images, size: scene.size)
    latest = text
    return text
  }

  private func lay(out scene: TypesettingScene) {
    let functions = fonts.functions, crop = scene.crop
    func side(_ value: Int) -> Int32 { Int32(min(max(value, 0), 4 * Self.maxSide)) }
    functions.set_frame_size(handle, side(scene.size.width), side(scene.size.height))
    functions.set_storage_size(handle, side(scene.storage.width), side(scene.storage.height))
    functions.set_margins(handle, -side(crop.top), -side(crop.bottom), -side(crop.left), -side(crop.right))
    functions.set_pixel_aspect(handle, scene.pixelAspect.isFinite ? min(max(scene.pixelAspect, 0.1), 10) : 1)
    functions.set_line_position(handle, scene.lift.isFinite ? min(max(scene.lift, 0), 1) * 100 : 0)
  }

  /// The time in seconds that this thread has had of processors.
  private static var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The pixels of all images.
  private static func area(_ images: UnsafePointer<qd_ass_image>?) -> Int {
    var area = 0
    for image in AssImages(first: images) { area += max(0, Int(image.width)) * max(0, Int(image.height)) }
    return area
  }
}

/// The images of a frame, from the lowest up. Valid until the next frame is drawn.
struct AssImages: Sequence {
  let first: UnsafePointer<qd_ass_image>?

  func makeIterator() -> some IteratorProtocol<qd_ass_image> {
    sequence(state: first) { (next: inout UnsafePointer<qd_ass_image>?) -> qd_ass_image? in
      defer { next = next?.pointee.next }
      return next?.pointee
    }
  }
}
