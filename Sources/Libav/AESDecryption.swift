import CFFmpeg

/// Decryption with AES-128 in CBC mode and PKCS7 padding, as HTTP Live Streaming uses it (RFC 8216, 4.3.2.4). Owns libav's
/// context; use from one thread at a time.
public final class AESDecryption {
  private static let blockSize = 16

  private let context: OpaquePointer
  private var vector: [UInt8]
  /// Encrypted bytes that wait for the rest of their block.
  private var rest: [UInt8] = []
  /// The last decrypted block, which may be padding.
  private var last: [UInt8] = []

  /// - Parameters:
  ///   - key: 16 bytes.
  ///   - vector: the 16 bytes to begin with.
  /// - Returns: nil if these are not 16 bytes each, or memory runs out.
  public init?(key: [UInt8], vector: [UInt8]) {
    guard key.count == Self.blockSize, vector.count == Self.blockSize, let context = av_aes_alloc() else { return nil }
    self.context = context
    self.vector = vector
    guard av_aes_init(context, key, Int32(8 * Self.blockSize), 1) >= 0 else { return nil }
  }

  deinit { av_free(UnsafeMutableRawPointer(context)) }

  /// Decrypts the next bytes; returns those that are certainly no padding.
  public func decrypt(_ bytes: some Collection<UInt8>) -> [UInt8] {
    rest += bytes
    let blocks = rest.count / Self.blockSize
    guard blocks > 0, blocks <= Int(Int32.max) else { return [] }
    var plain = [UInt8](repeating: 0, count: blocks * Self.blockSize)
    av_aes_crypt(context, &plain, rest, Int32(blocks), &vector, 1)
    rest.removeFirst(plain.count)
    defer { last = Array(plain.suffix(Self.blockSize)) }
    return last + plain.dropLast(Self.blockSize)
  }

  /// Returns the last bytes; nil if the number of bytes or their padding shows that the key is wrong or the data damaged.
  public func finish() -> [UInt8]? {
    guard rest.isEmpty, let padding = last.last, (1...UInt8(Self.blockSize)).contains(padding),
      last.suffix(Int(padding)).allSatisfy({ $0 == padding })
    else { return nil }
    return last.dropLast(Int(padding))
  }

  /// Returns the decrypted bytes; nil as for `finish()`.
  public static func decrypted(_ bytes: [UInt8], key: [UInt8], vector: [UInt8]) -> [UInt8]? {
    guard let decryption = AESDecryption(key: key, vector: vector) else { return nil }
    let plain = decryption.decrypt(bytes)
    return decryption.finish().map { plain + $0 }
  }
}
