/// The bytes of a clip that is not a regular file. Safe to use from any thread.
public protocol ByteSource: AnyObject, Sendable {
  /// The number of bytes; nil while it is unknown.
  var byteCount: Int64? { get }

  /// The number of bytes up to the last one that has arrived.
  var arrivedCount: Int64 { get }

  /// True if bytes far ahead can be read without waiting for those before them.
  var hasRandomAccess: Bool { get }

  /// Creates a reader.
  ///
  /// - Parameter interrupter: ends the reader's waits.
  func makeReader(_ interrupter: Interrupter) -> any ByteReader
}

/// A reader of bytes at chosen offsets. Use from one thread at a time.
public protocol ByteReader: AnyObject {
  /// Copies bytes into `buffer`; waits until there is at least one.
  ///
  /// - Parameters:
  ///   - offset: of the first byte; 0 or more.
  ///   - buffer: not empty.
  /// - Returns: the number of bytes copied; 0 at the end.
  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(ByteReaderError) -> Int
}

/// A reason that bytes cannot be read.
public enum ByteReaderError: Error, Hashable, Sendable {
  /// The interrupter has ended the wait.
  case interrupted
  /// The source has failed, or no longer keeps the bytes.
  case system(errno: Int32)
}
