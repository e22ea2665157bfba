import CFFmpeg

/// An error from libav, with the operation that failed.
public struct AVError: Error, Hashable, Sendable {
  /// libav's code: negative; a negated POSIX error number or a four-letter tag.
  public let code: Int32
  /// The operation that failed: "reading the header".
  public let context: String

  public init(code: Int32, context: String) {
    self.code = code
    self.context = context
  }

  /// libav's message for the code.
  public var reason: String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
      guard let base = buffer.baseAddress, av_strerror(code, base, buffer.count) == 0 else {
        return "error \(code)"
      }
      return String(cString: base)
    }
  }

  /// True if the operation was interrupted.
  public var isInterrupted: Bool { code == qd_averror_exit() }

  public var isOutOfMemory: Bool { code == qd_averror(ENOMEM) }

  /// The system's message if reading the file failed, rather than parsing its bytes; else nil.
  public var inputFailure: String? {
    let failures = [EIO, ESTALE, ENODEV, ENXIO, EACCES, EOVERFLOW, ETIMEDOUT, EISDIR]
    return failures.contains { qd_averror($0) == code } ? reason : nil
  }

  /// Throws an error for a negative return code. EAGAIN and end of file are results, and must be handled before.
  @discardableResult
  static func check(_ code: Int32, _ context: @autoclosure () -> String) throws -> Int32 {
    guard code >= 0 else { throw AVError(code: code, context: context()) }
    return code
  }

  package static func outOfMemory(_ context: String) -> AVError {
    AVError(code: qd_averror(ENOMEM), context: context)
  }
}

extension AVError: CustomStringConvertible {
  public var description: String { "\(context): \(reason)" }
}
