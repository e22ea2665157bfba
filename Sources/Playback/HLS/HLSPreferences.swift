import Pixels
import Synchronization

/// Viewers' preferences for a stream with variants: a value.
struct HLSPreferences: Equatable, Sendable {
  /// The size of the largest display, in pixels; nil while there is none. At first, one that suffices for most terminals.
  var displaySize: PixelSize? = PixelSize(width: 640, height: 360)
  /// The highest bit rate in bits per second; 0 for no limit.
  var peakBitRate = 0.0
  /// The largest size of frames; nil for no limit.
  var maximumResolution: PixelSize?
  /// The duration to load ahead in seconds; 0 for an automatic one.
  var forwardBuffer = 0.0
  /// The variant to play, by its index in the playlist; nil to choose automatically.
  var variant: Int?

  /// The duration that is loaded ahead in seconds unless another one is asked for, and the longest one.
  private static let automaticBuffer = 20.0
  private static let maximumBuffer = 300.0

  /// The duration to load ahead.
  var buffer: MediaTime {
    let seconds = forwardBuffer > 0 ? min(max(forwardBuffer, 1), Self.maximumBuffer) : Self.automaticBuffer
    return MediaTime(seconds: seconds, preferredTimescale: 1000)
  }
}

/// Preferences that all readers of a stream share. Safe to use from any thread.
final class SharedPreferences: Sendable {
  private let state = Mutex(HLSPreferences())

  var value: HLSPreferences { state.withLock { $0 } }

  /// Changes the preferences. Returns true if they are not the same as before.
  func update(_ body: (inout HLSPreferences) -> Void) -> Bool {
    state.withLock { preferences in
      let former = preferences
      body(&preferences)
      return preferences != former
    }
  }
}
