/// A source of a player's frames, such as a file or a computation.
///
/// A source is created on one thread and used by one thread at a time, so it needs no lock. Errors end the item, except
/// those of `seek`, after which `rewind` is tried. No requirement has a default: a wrapper must forward all of them.
public protocol FrameSource: AnyObject {
  /// Properties known before the first frame.
  var info: SourceInfo { get }

  /// The display times of the frames, and the places where decoding can start; nil if they are never known.
  var index: FrameIndex? { get }

  /// Seeks so that decoding passes the frame at `time`, starting as close to it as is cheap, or continues with a decoder
  /// that is already on the way.
  ///
  /// - Parameter time: on the item's timeline; zero or later.
  /// - Throws: an error if the source cannot seek there.
  func seek(to time: MediaTime, options: SeekOptions) throws -> SeekLanding

  /// Seeks to the first frame.
  ///
  /// - Throws: an error that ends the item.
  func rewind() throws

  /// Does a short piece of work, at most one frame.
  ///
  /// - Parameter discard: the frames that need not be decoded.
  /// - Throws: an error that ends the item. Skip damaged frames rather than throw.
  func decodeNext(discard: DiscardLevel) throws -> DecodeStep

  /// Sets the memory limit for decoders that are retained after a seek, to continue with if a later seek comes back.
  /// Decoders over the limit are freed immediately.
  ///
  /// - Returns: the memory that the retained decoders use, in bytes.
  func retainDecoders(within bytes: Int) -> Int
}

/// The outcome of one decoding step.
public enum DecodeStep: Sendable {
  /// The next frame in display order.
  case frame(any SourceFrame)
  /// Data was read, but no frame is complete yet.
  case progress
  /// There are no more frames. `isCutOff` is true if the data was found to be truncated.
  case endOfStream(isCutOff: Bool)
}

/// The frames a source may skip decoding to save time.
public enum DiscardLevel: Int, Comparable, Sendable {
  /// Decode every frame.
  case nothing
  /// Skip frames that no other frame depends on.
  case nonReference
  /// Skip all frames except keyframes.
  case nonKey

  /// Returns true if `b` allows more frames to be skipped than `a`.
  public static func < (a: DiscardLevel, b: DiscardLevel) -> Bool { a.rawValue < b.rawValue }
}

/// Restrictions on how a seek may be sped up.
public struct SeekOptions: OptionSet, Sendable {
  /// The bits of all options combined.
  public let rawValue: Int

  /// The frame must be the same as in a decode from the beginning, however early decoding has to start. Otherwise a frame
  /// that most probably is the same will do.
  public static let mustBeCertain = SeekOptions(rawValue: 1)
  /// Decoding must start at a random access point rather than continue with a retained decoder.
  public static let withFreshDecoder = SeekOptions(rawValue: 2)

  /// Creates options from their bits.
  public init(rawValue: Int) { self.rawValue = rawValue }
}

/// The result of a seek.
public struct SeekLanding: Hashable, Sendable {
  /// True if some of the first frames may be missing, because the decoder skipped them when it was last there.
  public var lacksFrames = false

  /// Creates a landing; by default nothing is missing.
  public init(lacksFrames: Bool = false) { self.lacksFrames = lacksFrames }
}
