import CFFmpeg

/// Recognises images that are not all there, such as one that a renderer is still writing.
///
/// Decoders are no help: many show what there is of such an image, and leave the rest grey. This reads the outermost layer
/// only: PNG chunks and their checksums, JPEG markers (ITU-T T.81), OpenEXR's table of chunks, the sizes that WebP, BMP and DPX
/// headers state, and the place of TIFF's directory.
struct ImageCheck {
  let bytes: UnsafeBufferPointer<UInt8>

  /// - Parameter bytes: a whole file.
  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// Returns false if the image is not of the codec's format, or is known to be incomplete.
  func isComplete(as codec: AVCodecID) -> Bool {
    switch codec {
    case AV_CODEC_ID_PNG: hasAllChunks
    case AV_CODEC_ID_MJPEG, AV_CODEC_ID_JPEGLS: endsAsJPEG
    case AV_CODEC_ID_WEBP: begins(Array("RIFF".utf8)) && max(12, Int(little32(at: 4)) + 8) <= bytes.count
    case AV_CODEC_ID_BMP: begins(Array("BM".utf8)) && max(26, Int(little32(at: 2))) <= bytes.count
    case AV_CODEC_ID_DPX: hasAllOfDPX
    case AV_CODEC_ID_EXR: hasAllChunksOfEXR
    case AV_CODEC_ID_TIFF: hasFirstDirectory
    default: !bytes.isEmpty
    }
  }

  func begins(_ signature: [UInt8]) -> Bool { bytes.starts(with: signature) }

  func byte(_ place: Int) -> UInt32 { bytes.indices.contains(place) ? UInt32(bytes[place]) : 0 }
  private func big32(at place: Int) -> UInt32 { (0..<4).reduce(0) { $0 << 8 | byte(place + $1) } }
  func little32(at place: Int) -> UInt32 { (0..<4).reversed().reduce(0) { $0 << 8 | byte(place + $1) } }

  // MARK: - PNG

  private static let end: UInt32 = 0x4945_4E44

  private var hasAllChunks: Bool {
    guard begins([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), let start = bytes.baseAddress,
      let table = av_crc_get_table(AV_CRC_32_IEEE_LE)
    else { return false }
    var place = 8
    while place + 12 <= bytes.count {
      let length = Int(big32(at: place)), kind = big32(at: place + 4)
      guard length <= bytes.count - place - 12 else { return false }
      let sum = ~av_crc(table, ~0, start + place + 4, length + 4)
      guard sum == big32(at: place + 8 + length) else { return false }
      if kind == Self.end { return true }
      place += length + 12
    }
    return false
  }

  // MARK: - JPEG

  /// Walks the markers up to the first scan, since the headers may contain a thumbnail with an end of its own.
  private var endsAsJPEG: Bool {
    guard begins([0xFF, 0xD8]) else { return false }
    var place = 2
    while place + 4 <= bytes.count {
      guard bytes[place] == 0xFF else { return false }
      let marker = bytes[place + 1]
      if marker == 0xFF {
        place += 1
        continue
      }
      if marker == 0xDA { break }
      let length = Int(byte(place + 2) << 8 | byte(place + 3))
      guard length >= 2 else { return false }
      place += 2 + length
    }
    // The end marker cannot occur within a scan. Bytes after it are allowed.
    var last = bytes.count - 2
    while last > place {
      if bytes[last] == 0xFF, bytes[last + 1] == 0xD9 { return true }
      last -= 1
    }
    return false
  }

  // MARK: - Others

  /// The length of a DPX header without the part for users.
  private static let headerOfDPX = 1664

  /// The size of the file may be unspecified: all bits are set.
  private var hasAllOfDPX: Bool {
    let isBig = begins(Array("SDPX".utf8))
    guard isBig || begins(Array("XPDS".utf8)) else { return false }
    let size = isBig ? big32(at: 16) : little32(at: 16)
    return max(Self.headerOfDPX, size == .max ? 0 : Int(size)) <= bytes.count
  }

  /// Many programs write the directory last, where the header points to.
  private var hasFirstDirectory: Bool {
    let isBig = begins([0x4D, 0x4D])
    guard isBig || begins([0x49, 0x49]) else { return false }
    let place = Int(isBig ? big32(at: 4) : little32(at: 4))
    return place >= 8 && place + 2 <= bytes.count
  }
}
