/// The actual state of a player's clock; `Player.rate` is the requested one.
public enum TimeControlStatus: Hashable, Sendable {
  /// The rate is 0, or the item has failed.
  case paused
  /// The rate is not 0, but the clock waits.
  case waiting(WaitingReason)
  /// The clock runs.
  case playing
}

/// The reason that a player waits.
public enum WaitingReason: Hashable, Sendable {
  /// There is no item.
  case noItem
  /// The clip is being opened, or its first frame decoded.
  case opening
  /// A seek is in flight.
  case seeking
  /// Frames are still being decoded: earlier ones for reverse playback, or the last ones at the end. Or the data of the next
  /// ones have yet to arrive; then `PlayerItem.isPlaybackLikelyToKeepUp` is false.
  case buffering
  /// Players that start together wait for each other.
  case othersInGroup
}

/// A player's action at the end of its item.
public enum ActionAtItemEnd: Hashable, Sendable {
  /// Stops at the end, with the last frame on display.
  case pause
  /// Starts again, at the same rate.
  case loop
  /// Continues with the next queued item; pauses after the last.
  case advance
}

/// The outcome of a seek.
public enum SeekResult: Hashable, Sendable {
  /// The seek's frame is ready to be shown.
  case finished
  /// A newer seek replaced it, or the item was removed or failed.
  case superseded
}

/// A change of a player; events come in order.
public enum PlayerEvent: Hashable, Sendable {
  /// `Player.currentItem` has changed; later events are about the new item.
  case currentItemChanged
  /// The item is open and its properties are known.
  case itemReady
  /// The item cannot be played or has failed during playback. This is final.
  case itemFailed(PlaybackError)
  /// `Player.timeControlStatus` has changed.
  case statusChanged(TimeControlStatus)
  /// `Player.rate` has changed.
  case rateChanged(Double)
  /// The time has changed other than by playback; not sent when a loop restarts.
  case timeJumped(MediaTime)
  /// Playback reached the end; sent once each time.
  case playedToEnd
  /// Reverse playback reached the start.
  case playedToStart
  /// The data of the next frames did not arrive in time; the clock waits at the end of the displayed frame.
  case stalled(at: MediaTime)
  /// The data is truncated, or ended long before the announced duration, which is indefinite if none was announced.
  case endedEarly(at: MediaTime, announced: MediaTime)
  /// `Player.duration` has become known or was corrected.
  case durationChanged(MediaTime)
  /// The cached ranges have changed while the clock is stopped; not sent for each frame.
  case cachedTimeRangesChanged
  /// The frame index is complete, or as complete as it will be.
  case framesIndexed
}
