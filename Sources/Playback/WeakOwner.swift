import Synchronization

/// A weak reference for closures that an object owns and that call it: they are made before the object is.
final class WeakOwner<Object: AnyObject & Sendable>: Sendable {
  private struct Box: Sendable { weak var object: Object? }
  private let box = Mutex(Box())

  /// The object; nil before it is set, and once it has gone.
  var object: Object? { box.withLock { $0.object } }

  func set(_ object: Object) { box.withLock { $0.object = object } }
}
