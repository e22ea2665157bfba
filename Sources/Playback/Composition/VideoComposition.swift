import Libav
import Pixels

/// The rules for combining the tracks of a composition.
///
/// By default a track hides those below it. Frames of a different shape from the output are centred on black.
public struct VideoComposition: Hashable, Sendable {
  /// Output size in square pixels; nil for the size of the first clip. Sides outside 1…16384 count as the nearest of these.
  public var renderSize: PixelSize?
  /// The duration of every output frame; nil to show the clips' frames at their own times.
  ///
  /// If set, frame n shows the composition at n times this duration. If nil, transitions and fades over slow or frozen
  /// clips add frames in between, at the frame rate of the first clip at normal speed, but at most 60 per second.
  public var frameDuration: MediaTime?
  /// FFmpeg's name of the pixel format to render: "yuv420p"; nil for that of the first clip.
  public var pixelFormat: String?
  /// The way of mixing the colours of two images, in transitions and in overlays that are not opaque.
  public var blending = ColorBlending.coded
  /// Transitions between two tracks. Where ranges overlap, the first one applies.
  public var instructions: [VideoCompositionInstruction] = []
  /// Overlays, lowest first.
  public var overlays: [CompositionOverlay] = []

  /// Creates a video composition without transitions or overlays, showing the clips' own frames.
  public init() {}
}

/// A transition from one track of a composition to another.
public struct VideoCompositionInstruction: Hashable, Sendable {
  /// The range of the transition: `from` alone is visible at its start, `to` alone from its end.
  public var timeRange: TimeRange
  /// The kind of transition.
  public var transition: VideoTransition
  /// Index of the outgoing track; black if it is empty.
  public var from: Int
  /// Index of the incoming track; black if it is empty.
  public var to: Int

  /// Creates an instruction.
  public init(timeRange: TimeRange, transition: VideoTransition, from: Int, to: Int) {
    self.timeRange = timeRange
    self.transition = transition
    self.from = from
    self.to = to
  }
}

/// The way one image replaces another as a transition goes from 0 to 1.
///
/// `VideoComposition.blending` selects how colours are mixed. Angles are in degrees: 0 points right, 90 down, 180 left, 270 up.
/// One that is not finite counts as 0.
public enum VideoTransition: Hashable, Sendable {
  /// Mixes each pixel of both images in proportion to the progress.
  case crossDissolve
  /// Fades to a colour in the first half, and from it in the second.
  case fade(through: VideoColor)
  /// A moving edge uncovers the new image. `softness` is the width of the edge as a fraction of the distance, 0…1.
  case wipe(angle: Double, softness: Double)
  /// The new image pushes the old one out.
  case push(angle: Double)
}

extension VideoComposition {
  /// Returns true if a name is that of a pixel format that frames can have: "yuv420p".
  package static func isPixelFormat(_ name: String) -> Bool { VideoFormat.isPixelFormat(name) }
}

/// A colour in full-range sRGB.
public struct VideoColor: Hashable, Sendable {
  /// The components, 0…255.
  public var red, green, blue: UInt8

  /// Creates a colour from its components.
  public init(red: UInt8, green: UInt8, blue: UInt8) { (self.red, self.green, self.blue) = (red, green, blue) }

  /// Black.
  public static let black = VideoColor(red: 0, green: 0, blue: 0)
  /// White.
  public static let white = VideoColor(red: 255, green: 255, blue: 255)
}

/// Text, an image or a clip shown over a composition's frames for some time.
public struct CompositionOverlay: Hashable, Sendable {
  /// The content of an overlay.
  public enum Content: Hashable, Sendable {
    /// Text, drawn by the viewer (see `PlayerItem.overlayText(at:)`). Not included in stills.
    case text([SubtitleLine], SubtitlePlacement)
    /// An image: the first frame of an asset.
    case image(Asset)
    /// A moving clip, starting with its first frame.
    case clip(CompositionClip)
  }

  /// The content of the overlay.
  public var content: Content
  /// The range on the composition's timeline.
  public var timeRange: TimeRange
  /// The region of the frame in which the image is centred, keeping its shape. Text has its own placement.
  public var region: FrameRegion
  /// Opacity, 0…1.
  public var opacity: Double
  /// Durations of the fades; zero or more.
  public var fadeIn, fadeOut: MediaTime
  /// The volume of a clip's sound, which fades along with the image; on the composition's timeline.
  public var volume = AudioVolume()
  /// The line that describes the overlay; nil if unknown.
  package var line: FileLine?

  /// Creates an overlay; by default without fades.
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

  /// The clip of the overlay, with a single frame for an image; nil for text.
  var clip: CompositionClip? {
    switch content {
    case .text: nil
    case .image(let asset): CompositionClip(asset: asset, timeRange: .zero)
    case .clip(let clip): clip
    }
  }

  /// Returns the opacity at a time in the range, 0…1.
  func opacity(at time: MediaTime) -> Double { fade.opacity(at: time, in: timeRange) }

  var fade: OverlayFade { OverlayFade(opacity: opacity, fadeIn: fadeIn, fadeOut: fadeOut) }
}

extension CompositionClip {
  /// Creates an overlay clip from a range of an asset.
  ///
  /// - Parameters:
  ///   - timeRange: on the asset's timeline; numeric. If empty, its one frame is held.
  ///   - videoTrack: index among the asset's tracks; nil for the preferred video track.
  public init(asset: Asset, timeRange: TimeRange, videoTrack: Int? = nil) {
    self.asset = asset
    self.videoTrack = videoTrack
    self.timeRange = timeRange
    direction = timeRange.isEmpty ? .freeze : .forward
  }
}
