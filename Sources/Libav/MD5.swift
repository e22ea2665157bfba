import CFFmpeg
import PlainText

/// MD5 of bytes, to tell contents apart: given in pieces, or all at once.
///
/// Not thread safe.
public final class MD5 {
  private let context: OpaquePointer

  /// - Throws: `AVError` when memory is short.
  public init() throws {
    guard let context = av_md5_alloc() else { throw AVError.outOfMemory("hashing") }
    self.context = context
    av_md5_init(context)
  }

  deinit { av_free(UnsafeMutableRawPointer(context)) }

  /// Adds bytes to what was given before.
  public func update(_ bytes: UnsafePointer<UInt8>, count: Int) { av_md5_update(context, bytes, count) }

  /// The digest of all that was given, as 32 hexadecimal digits: once, and nothing is given afterwards.
  public func hexadecimal() -> String {
    var digest = [UInt8](repeating: 0, count: 16)
    av_md5_final(context, &digest)
    return String(hexadecimal: digest)
  }

  /// The digest of `bytes`, as 32 hexadecimal digits.
  public static func hexadecimal(of bytes: UnsafeBufferPointer<UInt8>) -> String {
    var digest = [UInt8](repeating: 0, count: 16)
    av_md5_sum(&digest, bytes.baseAddress, bytes.count)
    return String(hexadecimal: digest)
  }
}
