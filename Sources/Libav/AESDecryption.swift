import CFFmpeg

/// Decryption with AES-128 in CBC mode and PKCS7 padding, as HTTP Live Streaming uses it (RFC 8216, 4.3.2.4).
public enum AESDecryption {
  private static let blockSize = 16

  /// Returns the decrypted bytes; nil if their number or padding shows that the key is wrong or the data damaged.
  ///
  /// - Parameters:
  ///   - key: 16 bytes.
  ///   - vector: the 16 bytes to begin with.
  public static func decrypted(_ bytes: [UInt8], key: [UInt8], vector: [UInt8]) -> [UInt8]? {
    guard key.count == blockSize, vector.count == blockSize, !bytes.isEmpty, bytes.count % blockSize == 0,
      bytes.count / blockSize <= Int(Int32.max), let aes = av_aes_alloc()
    else { return nil }
    defer { av_free(UnsafeMutableRawPointer(aes)) }
    guard av_aes_init(aes, key, Int32(8 * blockSize), 1) >= 0 else { return nil }
    var vector = vector
    var plain = [UInt8](repeating: 0, count: bytes.count)
    av_aes_crypt(aes, &plain, bytes, Int32(bytes.count / blockSize), &vector, 1)
    guard let padding = plain.last, (1...UInt8(blockSize)).contains(padding), plain.suffix(Int(padding)).allSatisfy({ $0 == padding })
    else { return nil }
    plain.removeLast(Int(padding))
    return plain
  }
}
