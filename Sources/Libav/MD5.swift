import CFFmpeg

/// MD5 of bytes, to tell contents apart.
public enum MD5 {
  /// The digest as 32 hexadecimal digits.
  public static func hexadecimal(of bytes: UnsafeBufferPointer<UInt8>) -> String {
    var digest = [UInt8](repeating: 0, count: 16)
    av_md5_sum(&digest, bytes.baseAddress, bytes.count)
    return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
