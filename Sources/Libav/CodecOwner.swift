import CFFmpeg

/// Owns one `AVCodecContext`.
final class CodecOwner {
  let pointer: UnsafeMutablePointer<AVCodecContext>
  private let companion: AnyObject?

  /// Makes a context that is not open yet.
  ///
  /// - Parameter companion: what the context refers to as long as it lives.
  init(_ codec: UnsafePointer<AVCodec>, companion: AnyObject? = nil) throws {
    guard let pointer = avcodec_alloc_context3(codec) else { throw AVError.outOfMemory("allocating a codec context") }
    self.pointer = pointer
    self.companion = companion
  }

  /// Opens it as a decoder.
  ///
  /// - Throws: `DecoderError.refusesHeaders`, or `AVError` when memory is short.
  func open(_ codec: UnsafePointer<AVCodec>) throws {
    let opened = avcodec_open2(pointer, codec, nil)
    if opened < 0, opened != qd_averror(ENOMEM) { throw DecoderError.refusesHeaders }
    try AVError.check(opened, "opening the decoder")
  }

  deinit {
    // Ends its worker threads, too; the companion goes after it.
    var pointer: UnsafeMutablePointer<AVCodecContext>? = pointer
    avcodec_free_context(&pointer)
  }
}
