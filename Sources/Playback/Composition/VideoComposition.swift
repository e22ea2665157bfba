import Libav
import Pixels

/// How the tracks of a composition are seen together.
///
/// Where nothing is said, a track hides those below it. Frames that have another shape than the output stand in its middle,
/// on black.
public struct VideoComposition: Hashable, Sendable {
  /// Size of the output in square pixels; nil for that of the first clip.
  public var renderSize: PixelSize?
  /// How long each frame is shown; nil shows the frames of the clips at their own times.
  ///
  /// With it, frame n shows what is to be seen at n times this. Without it, transitions and fades over clips that are slowed down or
  /// stand have frames between, as many a second as the first clip at its own speed, 60 at the most.
  public var frameDuration: MediaTime?
  /// FFmpeg's name of the pixel format of what is rendered: "yuv420p"; nil for that of the first clip.
  public var pixelFormat: String?
  /// Transitions between two tracks. Their ranges do not overlap; of those that do, the first one counts.
  public var instructions: [VideoCompositionInstruction] = []
  /// What lies over the frames, the lowest first.
  public var overlays: [CompositionOverlay] = []

  /// Frames as the clips have them, and cuts only.
  public init() {}
}

/// A transition from one track of a composition to another.
public struct VideoCompositionInstruction: Hashable, Sendable {
  /// When it happens: at its start only `from` is seen, from its end on only `to`.
  public var timeRange: TimeRange
  /// How one is replaced by the other.
  public var transition: VideoTransition
  /// Position among the composition's tracks of what is seen before; black where it is empty.
  public var from: Int
  /// Position among the composition's tracks of what is seen after; black where it is empty.
  public var to: Int

  /// An instruction as its properties say.
  public init(timeRange: TimeRange, transition: VideoTransition, from: Int, to: Int) {
    self.timeRange = timeRange
    self.transition = transition
    self.from = from
    self.to = to
  }
}

/// How one image is replaced by another while a transition goes from 0 to 1.
///
/// Colours are mixed in linear light. Angles are in degrees: 0 goes to the right, 90 down, 180 to the left, 270 up.
public enum VideoTransition: Hashable, Sendable {
  /// Each pixel is a mixture, of which the new image has as much as the transition has come.
  case crossDissolve
  /// To a colour in the first half, from it in the second one.
  case fade(through: VideoColor)
  /// The new image is uncovered by an edge that moves. `softness`, 0…1: how wide the edge is, in parts of the way.
  case wipe(angle: Double, softness: Double)
  /// The new image moves in, and the old one out before it.
  case push(angle: Double)
}

extension VideoComposition {
  /// Whether a name is that of a pixel format that frames can have: "yuv420p".
  package static func isPixelFormat(_ name: String) -> Bool { VideoFormat.isPixelFormat(name) }
}

/// A colour in full-range sRGB.
public struct VideoColor: Hashable, Sendable {
  /// Shares of the three primaries, 0…255.
  public var red, green, blue: UInt8

  /// A colour of its shares.
  public init(red: UInt8, green: UInt8, blue: UInt8) { (self.red, self.green, self.blue) = (red, green, blue) }

  /// No light.
  public static let black = VideoColor(red: 0, green: 0, blue: 0)
  /// All light.
  public static let white = VideoColor(red: 255, green: 255, blue: 255)
}

/// Something that lies over the frames of a composition for some time.
public struct CompositionOverlay: Hashable, Sendable {
  /// What lies there.
  public enum Content: Hashable, Sendable {
    /// Text, which whoever shows the frames draws: `PlayerItem.overlayText` tells when, and how opaque it is. Not part of stills.
    case text([SubtitleLine], SubtitlePlacement)
    /// An image: the first frame of an asset.
    case image(Asset)
    /// A moving clip, its first frame at the start of the range.
    case clip(CompositionClip)
  }

  /// What lies there.
  public var content: Content
  /// When, on the composition's timeline.
  public var timeRange: TimeRange
  /// Where it lies; the image stands in the middle of it, in its own shape. Text has a place of its own.
  public var region: FrameRegion
  /// How much of what is below is hidden: 0…1.
  public var opacity: Double
  /// How long it takes to come and to go; zero or more.
  public var fadeIn, fadeOut: MediaTime

  /// An overlay that comes and goes at once, unless told otherwise.
  public init(
    _ content: Content, timeRange: TimeRange, region: FrameRegion = .whole, opacity: Double = 1,
    fadeIn: MediaTime = .zero, fadeOut: MediaTime = .zero
  ) {
    self.content = content
    self.timeRange = timeRange
    self.region = region
    self.opacity = opacity
    self.fadeIn = fadeIn
    self.fadeOut = fadeOut
  }

  /// The clip that is seen, of an image its only frame; nil for text.
  var clip: CompositionClip? {
    switch content {
    case .text: nil
    case .image(let asset): CompositionClip(asset: asset, timeRange: .zero)
    case .clip(let clip): clip
    }
  }

  /// How much of what is below is hidden at a time of its range: 0…1.
  func opacity(at time: MediaTime) -> Double { fade.opacity(at: time, in: timeRange) }

  var fade: OverlayFade { OverlayFade(opacity: opacity, fadeIn: fadeIn, fadeOut: fadeOut) }
}

extension CompositionClip {
  /// A stretch of an asset that lies over a composition's frames.
  ///
  /// - Parameters:
  ///   - timeRange: on the asset's timeline; numeric. Without length, its one frame stands.
  ///   - videoTrack: position among the asset's tracks; nil for the preferred video track.
  public init(asset: Asset, timeRange: TimeRange, videoTrack: Int? = nil) {
    self.asset = asset
    self.videoTrack = videoTrack
    self.timeRange = timeRange
    direction = timeRange.isEmpty ? .freeze : .forward
  }
}
