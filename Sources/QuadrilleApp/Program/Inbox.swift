import Synchronization

/// What other threads leave for the screen thread, in the order in which it came. Safe from any thread.
final class Inbox<News: Sendable>: Sendable {
  private let news = Mutex<[News]>([])
  private let wake: @Sendable () -> Void

  /// - Parameter wake: called from any thread when something has come.
  init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

  func put(_ item: News) {
    news.withLock { $0.append(item) }
    wake()
  }

  /// What has come since the last call.
  func take() -> [News] {
    news.withLock { news in
      defer { news = [] }
      return news
    }
  }
}
