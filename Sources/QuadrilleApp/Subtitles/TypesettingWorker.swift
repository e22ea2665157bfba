import DecodePool
import Playback
import Typesetting

/// Has text drawn from a thread of its own. Safe from any thread.
final class TypesettingWorker: Sendable {
  enum News: Sendable {
    case drawn(TypesetRequest, Result<TypesetText, TypesettingError>)
    /// Nothing will be drawn, because there is no library, no font or no thread.
    case isUnavailable
  }

  private struct State {
    var requests: [TypesetRequest] = []
    var isClosed = false
  }

  private let state = Monitor(State())
  private let news: Inbox<News>
  private let fonts: AttachedFonts?

  /// - Parameters:
  ///   - fonts: Those of the clip, read when a script needs them.
  ///   - wake: Called from any thread when there is news.
  ///   - makeDrawer: Called on that thread, and again if what it made has broken down over a text.
  init(
    fonts: AttachedFonts?, wake: @escaping @Sendable () -> Void, startThread: ThreadStarter = detachThread,
    makeDrawer: @escaping @Sendable () throws(TypesettingError) -> any TextDrawing
  ) {
    news = Inbox(wake: wake)
    self.fonts = fonts
    do throws(ThreadError) {
      try startThread { [state, news] in
        var made: (drawer: any TextDrawing, hasFonts: Bool)?
        while let request = Self.nextRequest(state) {
          if made?.drawer.isUsable != true { made = (try? makeDrawer()).map { ($0, false) } }
          guard let (drawer, hasFonts) = made else { return news.put(.isUnavailable) }
          if case .authored = request.script, !hasFonts {
            for font in fonts?.read() ?? [] { drawer.add(TypesettingFont(name: font.name, bytes: font.bytes)) }
            made?.hasFonts = true
          }
          news.put(.drawn(request, Result { () throws(TypesettingError) in try drawer.draw(request.scene) }))
        }
      }
    } catch {
      news.put(.isUnavailable)
    }
  }

  deinit {
    state.withLock { $0.isClosed = true }
    state.broadcast()
    fonts?.cancel()
  }

  /// Waits for a request; nil once the worker is gone.
  private static func nextRequest(_ state: Monitor<State>) -> TypesetRequest? {
    state.wait { state -> TypesetRequest?? in
      if state.isClosed { return .some(nil) }
      return state.requests.isEmpty ? nil : .some(state.requests.removeFirst())
    }
  }

  /// Starts requests in order, in place of those that have not begun.
  func submit(_ requests: [TypesetRequest]) {
    state.withLock { $0.requests = requests }
    state.broadcast()
  }

  /// The news since the last call.
  func take() -> [News] { news.take() }
}
