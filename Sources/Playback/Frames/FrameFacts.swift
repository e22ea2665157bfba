import Libav
import Pixels

/// Facts about one frame from its decoder and its file, beside its pixels and its timing.
public struct FrameFacts: Hashable, Sendable {
  /// The way a frame is coded.
  public enum PictureType: String, Hashable, Sendable {
    /// Depends on no other frame.
    case intra = "I"
    /// Depends on frames in one direction.
    case predicted = "P"
    /// Depends on frames in both directions.
    case bidirectional = "B"
    /// Another type, or unknown.
    case other = "?"
  }

  /// The order in which the fields of a frame are displayed.
  public enum FieldOrder: String, Hashable, Sendable {
    /// The frame has no separate fields.
    case progressive
    /// The top field comes first.
    case topFirst = "top-first"
    /// The bottom field comes first.
    case bottomFirst = "bottom-first"
  }

  /// The pixel format and the colours of a frame, as it states them, in libav's names.
  public struct Format: Hashable, Sendable {
    /// The size of the decoded frame, before its orientation and the shape of its pixels are applied.
    public var codedSize: PixelSize
    /// The pixel format: "yuv420p10le".
    public var pixelFormat: String
    /// The bits of its deepest component.
    public var bitDepth: Int
    /// The colour matrix: "bt709"; "unknown" if not specified.
    public var colorSpace: String
    /// The transfer characteristics: "smpte2084"; "unknown" if not specified.
    public var colorTransfer: String
    /// The colour primaries: "bt2020"; "unknown" if not specified.
    public var colorPrimaries: String
    /// "tv" for limited range, "pc" for full range, "unknown" if not specified.
    public var colorRange: String
    /// "pq" or "hlg" for a frame of high dynamic range, which is tone-mapped for display; nil for others.
    public var highDynamicRange: String?

    /// Creates a format; by default, colours are not specified.
    public init(
      codedSize: PixelSize, pixelFormat: String, bitDepth: Int = 8, colorSpace: String = "unknown",
      colorTransfer: String = "unknown", colorPrimaries: String = "unknown", colorRange: String = "unknown",
      highDynamicRange: String? = nil
    ) {
      self.codedSize = codedSize
      self.pixelFormat = pixelFormat
      self.bitDepth = bitDepth
      self.colorSpace = colorSpace
      self.colorTransfer = colorTransfer
      self.colorPrimaries = colorPrimaries
      self.colorRange = colorRange
      self.highDynamicRange = highDynamicRange
    }
  }

  /// The position of a frame in its group of pictures, in display order.
  public struct GroupPosition: Hashable, Sendable {
    /// The number of frames since the keyframe; 0 for the keyframe itself.
    public var index: Int
    /// The number of frames up to the next keyframe, or up to the end; nil while unknown.
    public var count: Int?

    /// Creates a position.
    public init(index: Int, count: Int? = nil) { (self.index, self.count) = (index, count) }
  }

  /// The way the frame is coded.
  public var pictureType: PictureType
  /// True if the decoder says that decoding can start with this frame.
  public var isKeyframe: Bool
  /// The size in bytes of the packet that the frame came from, including frames in it that are never displayed; nil if unknown.
  public var packetByteCount: Int?
  /// The mean quantiser of the frame's blocks, weighted by area; nil if its decoder does not report it.
  ///
  /// In the codec's own scale, in which more is coarser: up to 51 in H.264, 31 or 62 in MPEG-1 to 4, 255 in VP9.
  public var meanQuantizer: Double?
  /// The order of the frame's fields.
  public var fieldOrder: FieldOrder
  /// True if the decoder marked the frame as damaged.
  public var isDamaged: Bool
  /// The pixel format and the colours.
  public var format: Format
  /// The position in the group of pictures; nil until the index knows it. Only players give it.
  public var group: GroupPosition?

  /// Creates facts, as for a source that reads files itself.
  public init(
    pictureType: PictureType, isKeyframe: Bool, packetByteCount: Int? = nil, meanQuantizer: Double? = nil,
    fieldOrder: FieldOrder = .progressive, isDamaged: Bool = false, format: Format, group: GroupPosition? = nil
  ) {
    self.pictureType = pictureType
    self.isKeyframe = isKeyframe
    self.packetByteCount = packetByteCount
    self.meanQuantizer = meanQuantizer
    self.fieldOrder = fieldOrder
    self.isDamaged = isDamaged
    self.format = format
    self.group = group
  }

  init(_ frame: DecodedFrame) {
    pictureType = PictureType(rawValue: String(frame.pictureTypeLetter)) ?? .other
    isKeyframe = frame.isKey
    packetByteCount = PacketTag(frame.tag).byteCount
    meanQuantizer = frame.meanQuantizer
    fieldOrder =
      switch frame.fieldOrder {
      case .progressive: .progressive
      case .topFirst: .topFirst
      case .bottomFirst: .bottomFirst
      }
    isDamaged = frame.isDamaged
    let format = frame.format
    self.format = Format(
      codedSize: format.size, pixelFormat: format.pixelFormat, bitDepth: frame.bitDepth, colorSpace: format.colorSpace,
      colorTransfer: format.colorTransfer, colorPrimaries: format.colorPrimaries, colorRange: format.colorRange,
      highDynamicRange: frame.hdrTransferName)
  }
}

/// Facts about one frame of a file that are known without decoding it.
public struct PacketFacts: Hashable, Sendable {
  /// Zero-based frame number in display order.
  public var number: Int
  /// Presentation time on the item's timeline.
  public var pts: MediaTime
  /// The size of the frame's packet in bytes.
  public var byteCount: Int
  /// True if the container or the stream says that decoding can start with this frame.
  public var isKeyframe: Bool
  /// The way the frame is coded, if it has been decoded and is still cached; else nil.
  public var pictureType: FrameFacts.PictureType?

  /// Creates facts of a frame.
  public init(number: Int, pts: MediaTime, byteCount: Int, isKeyframe: Bool, pictureType: FrameFacts.PictureType? = nil) {
    self.number = number
    self.pts = pts
    self.byteCount = byteCount
    self.isKeyframe = isKeyframe
    self.pictureType = pictureType
  }
}
