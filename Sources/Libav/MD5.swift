import CFFmpeg
import PlainText

/// Computes an MD5 digest, to distinguish contents, from parts or all at once.
///
/// Not thread-safe.
public final class MD5 {
  private let context: OpaquePointer

  /// - Throws: `AVError` if memory runs out.
  public init() throws {
    guard let context = av_md5_alloc() else { throw AVError.outOfMemory("hashing") }
    self.context = context
    av_md5_init(context)
  }

  deinit { av_free(UnsafeMutableRawPointer(context)) }

  /// Appends bytes to the input.
  public func update(_ bytes: UnsafePointer<UInt8>, count: Int) { av_md5_update(context, bytes, count) }

  /// Returns the digest of the input as 32 hexadecimal digits. Call it once; no input may follow.
  public func hexadecimal() -> String {
    var digest = [UInt8](repeating: 0, count: 16)
    av_md5_final(context, &digest)
    return String(hexadecimal: digest)
  }

  /// Returns the digest of `bytes`, as 32 hexadecimal digits.
  public static func hexadecimal(of bytes: UnsafeBufferPointer<UInt8>) -> String {
    var digest = [UInt8](repeating: 0, count: 16)
    av_md5_sum(&digest, bytes.baseAddress, bytes.count)
    return String(hexadecimal: digest)
  }
}
