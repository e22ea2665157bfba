import Glibc
import Libav
import Synchronization

/// What the bytes of a clip come from: a local file or a pipe, by its name.
struct MediaInput: Hashable, Sendable {
  /// The name, taken literally.
  let path: String

  /// What tells an input's contents from others' and from its own earlier ones.
  struct Identity: Hashable, Sendable {
    var numbers: [Int64]
  }

  /// Of a regular file; nil for what cannot be told apart, such as a pipe, and for what is not there.
  var identity: Identity? {
    guard let status = FileName.status(of: path), status.st_mode & S_IFMT == S_IFREG else { return nil }
    let seconds = Int64(status.st_mtim.tv_sec), nanoseconds = Int64(status.st_mtim.tv_nsec)
    return Identity(numbers: [
      Int64(truncatingIfNeeded: status.st_dev), Int64(truncatingIfNeeded: status.st_ino), Int64(status.st_size),
      seconds, nanoseconds,
    ])
  }

  /// Opens the input and reads its headers; blocks until done or interrupted.
  ///
  /// - Throws: `PlaybackError`, or an error of the layer below, with the refusals that come before libav sees it.
  func open(_ interrupter: Interrupter) throws -> OpenedInput {
    do {
      return OpenedInput(try Demuxer(path: path, interrupter: interrupter), interrupter)
    } catch FileInputError.notFound where looksLikeNetworkSource {
      throw PlaybackError(.networkSource, "is a network source, which cannot be played yet")
    }
  }

  private var looksLikeNetworkSource: Bool {
    guard let range = path.firstRange(of: "://") else { return false }
    let scheme = path[..<range.lowerBound]
    return !scheme.isEmpty && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
  }
}

/// An input that is open, at its beginning, on its way from the thread that opened it to the one that reads it.
///
/// `@unchecked Sendable`: who opened it is done with it, and whoever takes it over is the only one to use it.
final class OpenedInput: @unchecked Sendable {
  let demuxer: Demuxer
  let interrupter: Interrupter

  init(_ demuxer: Demuxer, _ interrupter: Interrupter) {
    self.demuxer = demuxer
    self.interrupter = interrupter
  }

  /// Whether it can go to other places than on; a pipe cannot.
  var canSeek: Bool { demuxer.isSeekable }

  /// Whether its bytes can be had once more by opening it again; what a pipe gave is gone.
  var canReopen: Bool { demuxer.isSeekable }
}

/// One user's reading of an input: opens it as often as is needed, and ends all of that when it is interrupted.
///
/// Safe from any thread.
final class InputSession: Sendable {
  private struct State {
    var interrupters: [Interrupter] = []
    var isInterrupted = false
  }

  private let input: MediaInput
  private let state = Mutex(State())

  init(_ input: MediaInput) { self.input = input }

  /// Opens the input, from its beginning; blocks until done or interrupted.
  ///
  /// - Throws: as `MediaInput.open`.
  func open() throws -> OpenedInput {
    let interrupter = Interrupter()
    add(interrupter)
    return try input.open(interrupter)
  }

  /// Takes over what somebody else has opened.
  func adopt(_ opened: OpenedInput) -> OpenedInput {
    add(opened.interrupter)
    return opened
  }

  private func add(_ interrupter: Interrupter) {
    let isInterrupted = state.withLock { state in
      state.interrupters.append(interrupter)
      return state.isInterrupted
    }
    if isInterrupted { interrupter.interrupt() }
  }

  /// Lets every read fail from now on.
  func interrupt() {
    let interrupters = state.withLock { state in
      state.isInterrupted = true
      return state.interrupters
    }
    for interrupter in interrupters { interrupter.interrupt() }
  }
}
