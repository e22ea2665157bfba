import CFFmpeg

/// Owns one `AVCodecContext`.
final class CodecOwner {
  let pointer: UnsafeMutablePointer<AVCodecContext>
  private let companion: AnyObject?

  /// Allocates a context without opening it.
  ///
  /// - Parameter companion: an object that the context refers to, retained with it.
  init(_ codec: UnsafePointer<AVCodec>, companion: AnyObject? = nil) throws {
    _ = LibavLog.isSilentByDefault
    guard let pointer = avcodec_alloc_context3(codec) else { throw AVError.outOfMemory("allocating a codec context") }
    self.pointer = pointer
    self.companion = companion
  }

  /// Opens the context as a decoder.
  ///
  /// - Throws: `DecoderError.refusesHeaders`, or `AVError` if memory runs out.
  func open(_ codec: UnsafePointer<AVCodec>) throws {
    let opened = avcodec_open2(pointer, codec, nil)
    if opened < 0, opened != qd_averror(ENOMEM) { throw DecoderError.refusesHeaders }
    try AVError.check(opened, "opening the decoder")
  }

  deinit {
    // Also ends its worker threads; the companion is freed after it.
    var pointer: UnsafeMutablePointer<AVCodecContext>? = pointer
    avcodec_free_context(&pointer)
  }
}
