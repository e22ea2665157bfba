import CFFmpeg
import Glibc

/// Reads the images of a sequence as packets, one per frame. The packet of a missing or damaged image has the bytes of the last
/// good one before it, or of the first good one after it.
///
/// Packets are identified by the number of their frame, which is their timestamp and takes the place of a file position.
/// Not thread-safe.
final class SequenceReader {
  private enum Content {
    /// The file itself is the packet.
    case wholeFile
    /// The file is a container, such as AVIF, whose first packet counts.
    case container
  }

  let input: SequenceInput
  private let interrupter: Interrupter
  private let content: Content
  private let codec: AVCodecID
  let stream: Int32
  private var next = 0
  /// The number of bytes read from all files so far.
  private(set) var readByteCount: Int64 = 0

  /// The size of the largest image, in bytes: libav's packets have 32 bits for it.
  private static let maxImageSize = Int(Int32.max) - Int(AV_INPUT_BUFFER_PADDING_SIZE)
  /// The number of bytes read between two looks at the interrupter.
  private static let step = 1 << 20

  /// - Parameters:
  ///   - model: a stream of an image of the sequence.
  ///   - format: libav's name of the image's container.
  init(_ input: SequenceInput, like model: UnsafeMutablePointer<AVStream>, format: String, interrupter: Interrupter) {
    (self.input, self.interrupter) = (input, interrupter)
    content = format.hasSuffix("_pipe") || format.hasPrefix("image2") ? .wholeFile : .container
    codec = model.pointee.codecpar.pointee.codec_id
    stream = model.pointee.index
  }

  func seek(toFrame frame: Int64) { next = Int(min(max(0, frame), Int64(input.files.frameCount))) }

  /// Reads the next frame's packet.
  ///
  /// - Throws: `AVError` if it was interrupted, if memory runs out, or if no image can be read.
  func read(into packet: Packet) throws -> Demuxer.ReadResult {
    guard next < input.files.frameCount else { return .endOfFile }
    let frame = next
    next += 1
    let image = input.files.image(ofFrame: frame)
    let earlier = (0...image).reversed(), later = image + 1..<input.files.numbers.count
    for candidate in [AnySequence(earlier), AnySequence(later)].joined() {
      // An image that was being written may be complete by now.
      if candidate != image, input.isDamaged(candidate) { continue }
      guard try load(candidate, into: packet) else { continue }
      packet.pointer.pointee.stream_index = stream
      packet.pointer.pointee.pts = Int64(frame)
      packet.pointer.pointee.dts = Int64(frame)
      packet.pointer.pointee.duration = 1
      packet.pointer.pointee.pos = Int64(frame)
      packet.pointer.pointee.flags |= AV_PKT_FLAG_KEY
      return .packet
    }
    throw AVError(code: qd_averror(EIO), context: "reading an image")
  }

  /// Reads an image. Returns false if it is missing or damaged, which is noted.
  private func load(_ image: Int, into packet: Packet) throws -> Bool {
    if interrupter.isInterrupted { throw AVError(code: qd_averror_exit(), context: "reading an image") }
    packet.clear()
    let path = input.files.path(ofImage: image)
    let isGood =
      switch content {
      case .wholeFile: try readFile(path, into: packet) && packet.withBytes { ImageCheck($0).isComplete(as: codec) }
      case .container: try readFirstPacket(path, into: packet)
      }
    input.note(image, isDamaged: !isGood)
    return isGood
  }

  private func readFirstPacket(_ path: String, into packet: Packet) throws -> Bool {
    do {
      let demuxer = try Demuxer(path: path, interrupter: interrupter)
      defer { readByteCount += demuxer.readByteCount }
      guard let own = demuxer.streams.first(where: { $0.kind == .video }),
        try demuxer.knownStream(own.index).pointee.codecpar.pointee.codec_id == codec
      else { return false }
      demuxer.select(streams: [own.index])
      return try demuxer.read(into: packet) == .packet
    } catch let error as AVError where error.isInterrupted || error.isOutOfMemory {
      throw error
    } catch {
      return false
    }
  }

  private func readFile(_ path: String, into packet: Packet) throws -> Bool {
    // Non-blocking: a pipe may have taken the file's place.
    let descriptor = FileName.withBytes(path) { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0,
      status.st_size <= Self.maxImageSize
    else { return false }
    let count = Int(status.st_size)
    try AVError.check(av_new_packet(packet.pointer, Int32(count)), "reading an image")
    var filled = 0
    while filled < count {
      if interrupter.isInterrupted { throw AVError(code: qd_averror_exit(), context: "reading an image") }
      let got = Glibc.read(descriptor, packet.pointer.pointee.data + filled, min(Self.step, count - filled))
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { break }
      filled += got
    }
    readByteCount += Int64(filled)
    av_shrink_packet(packet.pointer, Int32(filled))
    return filled == count
  }
}
