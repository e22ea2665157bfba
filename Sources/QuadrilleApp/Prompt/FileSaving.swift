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

  private var work: Work?
  /// What was typed of which there is a file already: typed once more, it may go.
  private var offered: String?
  private let wake: @Sendable () -> Void

  /// - Parameter wake: called from any thread when one is done.
  init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

  var isWriting: Bool { work != nil }
  /// The file that is being written; nil where none is.
  var path: String? { work?.path }

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
    offered = nil
    let job = BackgroundJob(wake: wake) { reason in
      .failed(FileError(file: file.path, line: nil, message: "cannot be written: \(reason)"))
    } body: {
      body(file)
    }
    work = Work(job: job, content: content, path: file.path, typed: typed)
  }

  /// What has come of it, once; nil before.
  mutating func take() -> Result? {
    guard let work, let outcome = work.job.value else { return nil }
    self.work = nil
    if case .exists = outcome { offered = work.typed }
    return work.result(outcome)
  }

  /// Waits for what is being written, at most until a time of the monotonic clock in nanoseconds.
  func wait(until deadline: UInt64) -> Result? {
    work.flatMap { work in work.job.wait(until: deadline).map(work.result) }
  }

  /// Asks anew whether a file may go.
  mutating func forgetOffer() { offered = nil }
}
