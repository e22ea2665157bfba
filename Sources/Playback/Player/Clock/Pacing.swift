/// The thing that paces playback, and so decides when frames are due, whether any are decoded, and where the end is.
enum Pacing {
  /// The clock: frames are displayed as it reaches them, and it waits for the first one and for the targets of seeks.
  /// Playback ends at the end of the decoded data.
  case clock
  /// The clock alone, since no output has a request: nothing is decoded, seeks are finished at once, and playback ends
  /// where the item is expected to end.
  case clockAlone
  /// The outputs: each frame is displayed once all of them have taken the last, and the clock stands still. Playback
  /// ends when the last frame has been taken; without requests, it stands still too.
  case outputs
}
