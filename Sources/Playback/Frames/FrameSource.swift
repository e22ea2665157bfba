/// Where a player's frames come from: a file, a computation, a script in tests.
///
/// A source is made on one thread and used by one thread at a time; it needs no lock. Errors end the item, but for those
/// of `seek`, after which `rewind` is tried. No requirement has a default: whoever wraps a source forwards all of it.
public protocol FrameSource: AnyObject {
  /// What is known before the first frame.
  var info: SourceInfo { get }

  /// What is known of the times of all frames, and of the places where decoding can begin; nil when that is never known.
  var index: FrameIndex? { get }

  /// Goes to a place from which decoding comes by the frame at `time`, as near as is cheap, or goes on with a decoder
  /// that stands on the way.
  ///
  /// - Parameter time: on the item's timeline; at or after zero.
  /// - Throws: where the source cannot go there.
  func seek(to time: MediaTime, options: SeekOptions) throws -> SeekLanding

  /// Goes to the first frame.
  ///
  /// - Throws: an error that ends the item.
  func rewind() throws

  /// Does a short piece of work: one frame at the most.
  ///
  /// - Parameter discard: which frames may be left undecoded.
  /// - Throws: an error that ends the item; a frame that is only damaged is better left out.
  func decodeNext(discard: DiscardLevel) throws -> DecodeStep

  /// Keeps decoders where seeks to elsewhere leave them, for a seek that comes back, within `bytes`; those that are too
  /// many go at once.
  ///
  /// - Returns: the bytes that the retained ones take.
  func retainDecoders(within bytes: Int) -> Int
}

/// What came of one decoding step.
public enum DecodeStep: Sendable {
  /// The next frame in display order.
  case frame(any SourceFrame)
  /// Data was read, but no frame is complete yet.
  case progress
  /// There are no more frames. `isCutOff`: the data was found to end in the middle of something.
  case endOfStream(isCutOff: Bool)
}

/// Which frames a source may leave undecoded to save time.
public enum DiscardLevel: Int, Comparable, Sendable {
  /// No frame is left undecoded.
  case nothing
  /// Frames that no other frame is built on.
  case nonReference
  /// All but keyframes.
  case nonKey

  /// Whether `b` lets a source leave out more frames than `a`.
  public static func < (a: DiscardLevel, b: DiscardLevel) -> Bool { a.rawValue < b.rawValue }
}

/// What a seek must not do to be quick.
public struct SeekOptions: OptionSet, Sendable {
  /// The options as bits: the sum of their values.
  public let rawValue: Int

  /// The frame has to come out as in a decode from the beginning, however far away decoding has to begin for that; else
  /// one that most probably does will do.
  public static let mustBeCertain = SeekOptions(rawValue: 1)
  /// Decoding has to begin at a random access point, not to go on with a retained decoder.
  public static let withFreshDecoder = SeekOptions(rawValue: 2)

  /// The options with these bits.
  public init(rawValue: Int) { self.rawValue = rawValue }
}

/// Where a seek has led.
public struct SeekLanding: Hashable, Sendable {
  /// Frames may be missing among the first ones, because they were left out when the decoder was there before.
  public var lacksFrames = false

  /// A landing; nothing is missing unless told otherwise.
  public init(lacksFrames: Bool = false) { self.lacksFrames = lacksFrames }
}
