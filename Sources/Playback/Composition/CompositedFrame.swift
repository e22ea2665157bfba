#if canImport(Glibc)
  import Glibc
#endif
import Libav
import Pixels

/// A frame of a composition: frames of clips, and how they are combined.
///
/// `@unchecked Sendable`: its content never changes. The frames in it are rendered only when it is, within the steps of the
/// lane that decoded all of them.
final class CompositedFrame: SourceFrame, @unchecked Sendable {
  /// A clip's frame and its shape.
  struct Layer {
    var frame: any SourceFrame
    /// Width divided by height, as displayed.
    var aspect: Double

    fileprivate var isOpaque: Bool {
      if let movie = frame as? MovieFrame { return !movie.decoded.mayBeTransparent }
      return frame is CompositedFrame
    }
  }

  enum Base {
    case black
    case missing
    case frame(Layer)
    /// A transition; `progress` is 0…1.
    case transition(VideoTransition, progress: Double, from: Layer?, to: Layer?)
  }

  struct Overlay {
    var layer: Layer
    var region: FrameRegion
    var opacity: Double

    /// Returns true if nothing below it is visible.
    fileprivate func hidesAll(of size: PixelSize) -> Bool {
      let shape = Double(size.width) / Double(max(1, size.height))
      return region == .whole && opacity >= 1 && layer.isOpaque && abs(layer.aspect / shape - 1) <= FrameCanvas.shapeTolerance
    }
  }

  let timing: FrameTiming
  let size: PixelSize
  let base: Base
  let overlays: [Overlay]
  private let blending: ColorBlending
  /// The error for media of this composition that the frame shows as a placeholder, or not at all.
  private let missing: PlaybackError?

  /// - Parameter size: the size of the composition's frames.
  init(
    _ base: Base, overlays: [Overlay], missing: PlaybackError? = nil, size: PixelSize, timing: FrameTiming,
    blending: ColorBlending = .coded
  ) {
    self.missing = missing
    if let top = overlays.lastIndex(where: { $0.hidesAll(of: size) }) {
      self.base = .frame(overlays[top].layer)
      self.overlays = Array(overlays[(top + 1)...])
    } else {
      (self.base, self.overlays) = (base, overlays)
    }
    self.size = size
    self.timing = timing
    self.blending = blending
  }

  /// The clip's frame, if nothing else is visible.
  var onlyFrame: (any SourceFrame)? {
    guard overlays.isEmpty, case .frame(let layer) = base else { return nil }
    return layer.frame
  }

  /// The file's frame, if nothing else is visible, even through a nested composition.
  var innermostFrame: (any SourceFrame)? {
    let only = onlyFrame
    return (only as? CompositedFrame)?.innermostFrame ?? only
  }

  func render(for request: RenderRequest) throws -> RenderedFrame {
    let geometry = request.geometry(ofFrame: size)
    if let scope = request.scope { return try measure(scope, request) }
    let image = try compose(geometry.imageSize, geometry.visible, .init(request))
    // Facts are those of its only clip, if the frame is nothing else.
    var rendered = RenderedFrame(
      image: image, rect: geometry.imageRect, request: request, timing: timing, facts: (innermostFrame as? MovieFrame)?.facts)
    if request.keepsPixels { rendered.kept = KeptPixels(pixels: try FramePixels(compose(size, .whole)), orientation: .upright) }
    return rendered
  }

  /// The largest image that is composed to be measured, in pixels.
  private static let measuredSize = PixelSize(width: 640, height: 640)

  private func measure(_ scope: FrameScope, _ request: RenderRequest) throws -> RenderedFrame {
    if let movie = innermostFrame as? MovieFrame {
      var frame = try movie.render(for: request)
      frame.timing = timing
      return frame
    }
    let image = try compose(Still.size(of: size, maximum: Self.measuredSize), request.region)
    return try RenderedFrame(measuring: request, timing: timing) { try FrameScopes().image(scope, of: image, size: $0) }
  }

  /// The error for missing media, including that of nested compositions; nil if all of the frame is there.
  var anyMissing: PlaybackError? {
    let below: [Layer?] =
      switch base {
      case .black, .missing: []
      case .frame(let layer): [layer]
      case .transition(_, _, let from, let to): [from, to]
      }
    let layers = below.compactMap { $0 } + overlays.map(\.layer)
    return missing ?? layers.lazy.compactMap { ($0.frame as? CompositedFrame)?.anyMissing }.first
  }

  /// - Throws: also if media is missing: what players show in its place is not the composition's image.
  func still(maximumSize: PixelSize) throws -> Still {
    if let missing = anyMissing { throw missing }
    return Still(image: try compose(Still.size(of: size, maximum: maximumSize), .whole), timing: timing)
  }

  /// Returns the pixel of the only clip's file at a displayed position; nil outside it, or if several frames are composed.
  func probe(x: Double, y: Double) throws -> ProbedPixel? {
    guard overlays.isEmpty, case .frame(let layer) = base else { return nil }
    // The frame lies in the middle, as large as fits.
    let ratio = layer.aspect / (Double(size.width) / Double(max(1, size.height)))
    let fits = abs(ratio - 1) <= FrameCanvas.shapeTolerance
    let (width, height) = fits ? (1, 1) : (min(1, ratio), min(1, 1 / ratio))
    let (x, y) = ((x - (1 - width) / 2) / width, (y - (1 - height) / 2) / height)
    if let movie = layer.frame as? MovieFrame { return try movie.probe(x: x, y: y) }
    return try (layer.frame as? CompositedFrame)?.probe(x: x, y: y)
  }

  private func compose(_ pixels: PixelSize, _ visible: FrameRegion, _ view: FrameCanvas.View = .init()) throws -> PixelImage {
    let aspect = Double(size.width) / Double(max(1, size.height))
    var canvas = FrameCanvas(size: pixels, visible: visible, aspect: aspect, blending: blending, view: view)
    switch base {
    case .black: break
    case .missing: canvas.fillAsMissing()
    case .frame(let layer): try canvas.draw(layer.frame, aspect: layer.aspect, in: .init())
    case .transition(let transition, let progress, let from, let to):
      try canvas.draw(transition, progress, from: from, to: to)
    }
    for overlay in overlays {
      try canvas.draw(
        overlay.layer.frame, aspect: overlay.layer.aspect, in: .init(overlay.region), opacity: overlay.opacity)
    }
    return canvas.image
  }
}

extension FrameCanvas {
  fileprivate mutating func draw(
    _ transition: VideoTransition, _ progress: Double, from: CompositedFrame.Layer?, to: CompositedFrame.Layer?
  ) throws {
    // It is black still: what is seen first is drawn into it.
    func draw(_ layer: CompositedFrame.Layer?, _ place: Place = .init(), into canvas: inout FrameCanvas) throws {
      if let layer { try canvas.draw(layer.frame, aspect: layer.aspect, in: place) }
    }
    func image(_ layer: CompositedFrame.Layer?) throws -> FrameCanvas {
      var canvas = FrameCanvas(size: size, visible: visible, aspect: aspect, blending: blending, view: view)
      try draw(layer, into: &canvas)
      return canvas
    }
    switch transition {
    case .crossDissolve:
      try draw(from, into: &self)
      if progress > 0 { mix(try image(to), share: progress) }
    case .fade(let color):
      let isFirst = progress < 0.5
      try draw(isFirst ? from : to, into: &self)
      var colored = FrameCanvas(size: size, visible: visible, aspect: aspect, blending: blending, view: view)
      colored.fill(color)
      mix(colored, share: isFirst ? 2 * progress : 2 * (1 - progress))
    case .wipe(let angle, let softness):
      try draw(from, into: &self)
      guard progress > 0 else { return }
      let edge = WipeEdge(angle: angle, softness: softness, aspect: aspect)
      mix(try image(to)) { x, y in edge.share(x, y, progress) }
    case .push(let angle):
      let way = Way(angle)
      var old = Place(), new = Place()
      (old.x, old.y) = (progress * way.x, progress * way.y)
      (new.x, new.y) = ((progress - 1) * way.x, (progress - 1) * way.y)
      try draw(from, old, into: &self)
      try draw(to, new, into: &self)
    }
  }

  /// The distance that an outgoing image moves, as fractions of the frame.
  private struct Way {
    var x, y: Double

    init(_ angle: Double) {
      let radians = (angle.isFinite ? angle : 0) * .pi / 180
      let (x, y) = (cos(radians), sin(radians))
      let longest = max(abs(x), abs(y))
      // Rounded so that right angles move along one axis only.
      self.x = (x / longest * 1e9).rounded() / 1e9
      self.y = (y / longest * 1e9).rounded() / 1e9
    }
  }

  /// The moving edge of a wipe.
  private struct WipeEdge {
    private var directionX, directionY: Double
    private var lowest, length: Double
    private var softness: Double
    private var aspect: Double

    init(angle: Double, softness: Double, aspect: Double) {
      let radians = (angle.isFinite ? angle : 0) * .pi / 180
      (directionX, directionY) = (cos(radians), sin(radians))
      self.aspect = aspect
      self.softness = max(0, min(1, softness))
      let corners = [(0.0, 0.0), (1, 0), (0, 1), (1, 1)]
        .map { [directionX, directionY] in $0.0 * aspect * directionX + $0.1 * directionY }
      lowest = corners.min() ?? 0
      length = max(1e-9, (corners.max() ?? 1) - lowest)
    }

    /// Returns the share of the new image at a position.
    func share(_ x: Double, _ y: Double, _ progress: Double) -> Double {
      let place = (x * aspect * directionX + y * directionY - lowest) / length
      guard softness > 0 else { return place < progress ? 1 : 0 }
      return (progress * (1 + softness) - place) / softness
    }
  }
}
