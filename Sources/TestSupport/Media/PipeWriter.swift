import Foundation
import Glibc

/// Writes bytes into named pipes.
public enum PipeWriter {
  /// Writes bytes into a pipe on another thread, as soon as somebody reads it, and closes it.
  ///
  /// - Parameter unlinks: true to remove the pipe's name once it is open.
  public static func write(_ bytes: Data, to path: String, unlinks: Bool = false) {
    Thread.detachNewThread {
      // The reader may stop before the end.
      signal(SIGPIPE, SIG_IGN)
      let pipe = open(path, O_WRONLY)
      if unlinks { unlink(path) }
      bytes.withUnsafeBytes { bytes in
        var sent = 0
        while sent < bytes.count {
          let count = Glibc.write(pipe, bytes.baseAddress?.advanced(by: sent), bytes.count - sent)
          guard count > 0 else { break }
          sent += count
        }
      }
      close(pipe)
    }
  }
}
