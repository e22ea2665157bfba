import Synchronization

/// A queue of items from other threads to the screen thread, in order. Safe from any thread.
final class Inbox<News: Sendable>: Sendable {
  private let news = Mutex<[News]>([])
  private let wake: @Sendable () -> Void

  /// - Parameter wake: Called from any thread when an item arrives.
  init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

  func put(_ item: News) {
    news.withLock { $0.append(item) }
    wake()
  }

  /// The items since the last call.
  func take() -> [News] {
    news.withLock { news in
      defer { news = [] }
      return news
    }
  }
}
