import Pixels

/// What a player is to make of each picture: the pixels at hand and how they are to be filled.
public struct PictureRequest: Hashable, Sendable {
  /// The pane in pixels; at least 1×1.
  public var box: PixelSize
  /// Width over height of one of the box's pixels.
  public var pixelAspect: Double
  public var gravity: Gravity

  public init(box: PixelSize, pixelAspect: Double = 1, gravity: Gravity = .resizeAspect) {
    self.box = box
    self.pixelAspect = pixelAspect
    self.gravity = gravity
  }
}

/// A picture ready for its pane.
public struct Picture: Sendable {
  public var image: PixelImage
  /// Where the image lies in the request's box.
  public var rect: PixelRect
  /// What it was made for.
  public var request: PictureRequest
  public var timing: FrameTiming
  /// Shown on the way to another one, while the target of a seek is moving.
  public var isApproximate = false

  public init(image: PixelImage, rect: PixelRect, request: PictureRequest, timing: FrameTiming) {
    self.image = image
    self.rect = rect
    self.request = request
    self.timing = timing
  }
}

/// Which pictures a source may leave undecoded to save time.
public enum DiscardLevel: Int, Comparable, Sendable {
  case nothing
  /// Pictures that no other picture is built on.
  case nonReference
  /// All but key frames.
  case nonKey

  public static func < (a: DiscardLevel, b: DiscardLevel) -> Bool { a.rawValue < b.rawValue }
}

/// What came of one decoding step.
public enum DecodeStep: Sendable {
  /// The next picture in display order; it can be rendered until the one after the next is decoded.
  case frame(FrameTiming)
  /// Data was read, but no picture is complete yet.
  case progress
  /// There are no more pictures.
  case endOfStream
}

/// What a seek must not do to be quick.
public struct SeekOptions: OptionSet, Sendable {
  public let rawValue: Int

  /// The picture has to come out as in a decode from the beginning, however far away decoding has to begin for that;
  /// else one that is most probably so will do.
  public static let mustBeCertain = SeekOptions(rawValue: 1)
  /// Decoding has to begin anew, not to go on with a decoder that waits on the way.
  public static let mustBeginAnew = SeekOptions(rawValue: 2)

  public init(rawValue: Int) { self.rawValue = rawValue }
}

/// Where a seek has led.
public struct SeekLanding: Hashable, Sendable {
  /// Pictures may be missing among the first ones, because they were left out when the decoder was there before.
  public var lacksPictures = false

  public init(lacksPictures: Bool = false) { self.lacksPictures = lacksPictures }
}

/// One of the two pictures that a source holds.
public enum HeldFrame: Sendable {
  case latest
  /// The one before the latest.
  case previous
}

/// Where a player's pictures come from: a file, or a script in tests.
///
/// Used by one thread at a time. Errors end the item, but for `seek`, after which `rewind` is tried.
public protocol FrameSource: AnyObject {
  var info: SourceInfo { get }

  /// What is known of the pictures' places; nil when the source never knows.
  var frameIndex: FrameIndex? { get }

  /// Goes to a place from which decoding comes by the picture at `time`, as near as is cheap, or goes on with a decoder
  /// that stands on the way.
  func seek(to time: MediaTime, options: SeekOptions) throws -> SeekLanding

  /// Goes to the first picture.
  func rewind() throws

  /// Does a short piece of work.
  func decodeNext(discard: DiscardLevel) throws -> DecodeStep

  /// Lets decoders wait where seeks to elsewhere leave them, for a seek that comes back, within so many bytes.
  ///
  /// - Returns: the bytes that they take.
  func keepWaiting(within bytes: Int) -> Int

  /// Scales a held picture for its pane.
  func render(_ frame: HeldFrame, for request: PictureRequest) throws -> Picture

  /// Whether it can go to other places than on; a pipe cannot.
  var canSeek: Bool { get }

  /// Whether, with `DiscardLevel.nonReference`, the pictures that do come out are the same as ever.
  var canLeaveOut: Bool { get }

  /// Whether, once it has come to its end, that is found to be in the middle of something.
  var isCutOff: Bool { get }

  /// Whether times are from now on exact: a picture's end is known when it comes out.
  var knowsTimes: Bool { get }

  /// A held picture upright and with square pixels, no larger than `maximumSize`, of which a side of 0 is free.
  func still(_ frame: HeldFrame, maximumSize: PixelSize) throws -> Still
}

extension FrameSource {
  public var frameIndex: FrameIndex? { nil }

  public func keepWaiting(within bytes: Int) -> Int { 0 }

  public var canSeek: Bool { true }

  public var canLeaveOut: Bool { false }

  public var isCutOff: Bool { false }

  public var knowsTimes: Bool { false }

  public func still(_ frame: HeldFrame, maximumSize: PixelSize) throws -> Still {
    let size = Still.size(of: info.presentationSize, maximum: maximumSize)
    let picture = try render(frame, for: PictureRequest(box: size))
    return Still(image: picture.image, timing: picture.timing)
  }
}

/// A single picture for its own sake, in square pixels.
public struct Still: Sendable {
  public var image: PixelImage
  public var timing: FrameTiming

  public init(image: PixelImage, timing: FrameTiming) {
    self.image = image
    self.timing = timing
  }

  /// The largest size of the same shape within `maximum`, of which a side of 0 is free; never enlarged.
  static func size(of full: PixelSize, maximum: PixelSize) -> PixelSize {
    let full = PixelSize(width: max(1, full.width), height: max(1, full.height))
    var factor = 1.0
    if maximum.width > 0 { factor = min(factor, Double(maximum.width) / Double(full.width)) }
    if maximum.height > 0 { factor = min(factor, Double(maximum.height) / Double(full.height)) }
    guard factor < 1 else { return full }
    return PixelSize(
      width: max(1, Int((Double(full.width) * factor).rounded())),
      height: max(1, Int((Double(full.height) * factor).rounded())))
  }
}

/// What is known of a source before its first picture.
public struct SourceInfo: Hashable, Sendable {
  /// Size as it is to be seen, in square pixels.
  public var presentationSize: PixelSize
  /// Indefinite when not known.
  public var duration: MediaTime
  /// Pictures a second, 0 when not known.
  public var nominalFrameRate: Double
  /// Short name of the codec.
  public var codec: String
  /// Whether `duration` is only worked out, from the bit rate: an end before it says nothing.
  public var durationIsEstimate: Bool

  public init(
    presentationSize: PixelSize, duration: MediaTime, nominalFrameRate: Double, codec: String = "",
    durationIsEstimate: Bool = false
  ) {
    self.presentationSize = presentationSize
    self.duration = duration
    self.durationIsEstimate = durationIsEstimate
    self.nominalFrameRate = nominalFrameRate
    self.codec = codec
  }
}
