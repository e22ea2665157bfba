import Movies
import Playback

/// Writes things into files that somebody names, one at a time, on other threads. Screen thread only.
struct FileSaving<Content> {
  /// What has come of one.
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
    /// Somebody may still ask for it again.
    case unwritten(Result)
  }

  private var state = State.idle
  private let wake: @Sendable () -> Void

  /// - Parameter wake: called from any thread when one is done.
  init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

  var isWriting: Bool {
    if case .writing = state { true } else { false }
  }

  /// The file that is being written, or that was not and has not been given up; nil where there is none.
  var path: String? {
    switch state {
    case .idle: nil
    case .writing(let work): work.path
    case .unwritten(let result): result.path
    }
  }

  /// What was typed of which there is a file already: typed once more, it may go.
  private var offered: String? {
    if case .unwritten(let result) = state, case .exists = result.outcome { result.typed } else { nil }
  }

  /// Begins to write.
  ///
  /// - Parameters:
  ///   - typed: the file's name.
  ///   - spared: files that must not be written.
  ///   - body: writes it, on another thread.
  mutating func write(
    _ content: Content, to typed: String, sparing spared: [String], _ body: @escaping @Sendable (TypedFile) -> TypedFile.Outcome
  ) {
    let file = TypedFile(
      path: TypedPath.expanded(typed, home: TypedPath.home), spared: spared, mayReplace: offered == typed)
    let job = BackgroundJob(wake: wake) { reason in
      .failed(FileError(file: file.path, line: nil, message: "cannot be written: \(reason)"))
    } body: {
      body(file)
    }
    state = .writing(Work(job: job, content: content, path: file.path, typed: typed))
  }

  /// What has come of it, once; nil before.
  mutating func take() -> Result? {
    guard case .writing(let work) = state, let outcome = work.job.value else { return nil }
    let result = work.result(outcome)
    if case .written = outcome { state = .idle } else { state = .unwritten(result) }
    return result
  }

  /// What has come of the file that `path` names, waited for at most until a time of the monotonic clock in nanoseconds; nil
  /// where that is not known by then.
  func wait(until deadline: UInt64) -> Result? {
    switch state {
    case .idle: nil
    case .writing(let work): work.job.wait(until: deadline).map(work.result)
    case .unwritten(let result): result
    }
  }

  /// Gives up what was not written: asked for once more, it asks anew whether a file may go.
  mutating func giveUp() {
    if case .unwritten = state { state = .idle }
  }
}
