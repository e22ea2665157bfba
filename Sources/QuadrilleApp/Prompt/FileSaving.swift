import Movies
import Playback

/// Writes files that the user named, one at a time, on other threads. Screen thread only.
struct FileSaving<Content> {
  /// The result of a write.
  struct Result {
    let content: Content
    let path: String
    let typed: String
    let outcome: TypedFile.Outcome
  }

  private struct Work {
    let job: BackgroundJob<TypedFile.Outcome>
    let content: Content
    let path: String
    let typed: String

    func result(_ outcome: TypedFile.Outcome) -> Result { Result(content: content, path: path, typed: typed, outcome: outcome) }
  }

  private enum State {
    case idle
    case writing(Work)
    /// Kept because the user may retry.
    case unwritten(Result)
  }

  private var state = State.idle
  private let wake: @Sendable () -> Void

  /// - Parameter wake: Called from any thread when a write has finished.
  init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

  var isWriting: Bool {
    if case .writing = state { true } else { false }
  }

  /// Path of the file being written, or of a failed write that has not been discarded; nil if there is none.
  var path: String? {
    switch state {
    case .idle: nil
    case .writing(let work): work.path
    case .unwritten(let result): result.path
    }
  }

  /// The typed name of an existing file; typing it again confirms overwriting.
  private var offered: String? {
    if case .unwritten(let result) = state, case .exists = result.outcome { result.typed } else { nil }
  }

  /// Starts a write.
  ///
  /// - Parameters:
  ///   - typed: The file name.
  ///   - spared: Files that must not be overwritten.
  ///   - body: Writes the file, on another thread.
  mutating func write(
    _ content: Content, to typed: String, sparing spared: InputFiles,
    _ body: @escaping @Sendable (TypedFile) -> TypedFile.Outcome
  ) {
    let path = TypedPath.expanded(typed, home: TypedPath.home)
    let job = BackgroundJob(wake: wake) { reason in
      .failed(FileError(file: path, line: nil, message: "cannot be written: \(reason)"))
    } body: { [mayReplace = offered == typed] in
      body(TypedFile(path: path, spared: spared.paths, mayReplace: mayReplace))
    }
    state = .writing(Work(job: job, content: content, path: path, typed: typed))
  }

  /// Returns the result, once; nil until available.
  mutating func take() -> Result? {
    guard case .writing(let work) = state, let outcome = work.job.value else { return nil }
    let result = work.result(outcome)
    if case .written = outcome { state = .idle } else { state = .unwritten(result) }
    return result
  }

  /// Waits for the result for the file at `path` until a deadline in nanoseconds of the monotonic clock; nil if it is not
  /// available by then.
  func wait(until deadline: UInt64) -> Result? {
    switch state {
    case .idle: nil
    case .writing(let work): work.job.wait(until: deadline).map(work.result)
    case .unwritten(let result): result
    }
  }

  /// Discards a failed write. The next one asks again before overwriting a file.
  mutating func giveUp() {
    if case .unwritten = state { state = .idle }
  }
}
