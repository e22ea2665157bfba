import Pixels
import Synchronization

/// An image sequence to be demuxed, and the images found damaged so far by anyone who reads it.
///
/// Safe to use from any thread. Two inputs are equal if they are the same object.
public final class SequenceInput: Sendable {
  public let files: SequenceFiles
  /// Frames per second; positive.
  public let frameRate: Ratio
  private let damaged = Mutex<Set<Int>>([])

  public init(_ files: SequenceFiles, frameRate: Ratio) { (self.files, self.frameRate) = (files, frameRate) }

  /// The images found to be missing, unreadable or incomplete, in order, counted from 0.
  public var damagedImages: [Int] { damaged.withLock { $0.sorted() } }

  func isDamaged(_ image: Int) -> Bool { damaged.withLock { $0.contains(image) } }

  /// Notes the state of an image that was just read.
  func note(_ image: Int, isDamaged: Bool) {
    damaged.withLock { damaged in
      if isDamaged { damaged.insert(image) } else if !damaged.isEmpty { damaged.remove(image) }
    }
  }
}

extension SequenceInput: Hashable {
  public static func == (a: SequenceInput, b: SequenceInput) -> Bool { a === b }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
