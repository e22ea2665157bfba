/// Whether a player's clock runs: the truth, where `Player.rate` is the wish.
public enum TimeControlStatus: Hashable, Sendable {
  /// The rate is 0, or the item has failed.
  case paused
  /// The rate is not 0, and the clock stands until something has come.
  case waiting(WaitingReason)
  /// The clock runs.
  case playing
}

/// Why a player that is to play does not yet.
public enum WaitingReason: Hashable, Sendable {
  /// There is nothing to play.
  case noItem
  /// The clip is being opened, or its first frame decoded.
  case opening
  /// A seek has not landed.
  case seeking
  /// Playing backwards, the frames before are still being decoded.
  case buffering
  /// Players that are to start together wait for each other.
  case othersInGroup
}

/// What a player does when its item has played to its end.
public enum ActionAtItemEnd: Hashable, Sendable {
  /// Stands at the end, with the last frame on display.
  case pause
  /// Begins again, at the same rate.
  case loop
  /// Goes on with the next item of the queue; pauses after the last.
  case advance
}

/// How a seek ended.
public enum SeekResult: Hashable, Sendable {
  /// It landed, and its frame is the one to show.
  case finished
  /// A newer seek took its place, or the item went away or failed.
  case superseded
}

/// What happens to a player, in order.
public enum PlayerEvent: Hashable, Sendable {
  /// `Player.currentItem` is another one, or none; what follows is told of that.
  case currentItemChanged
  /// The item has been opened: what it tells of itself is known.
  case itemReady
  /// The item cannot be played, or cannot be played on; nothing more comes of it.
  case itemFailed(PlaybackError)
  /// `Player.timeControlStatus` is another one.
  case statusChanged(TimeControlStatus)
  /// `Player.rate` is another one.
  case rateChanged(Double)
  /// Its time is another one without having been played to; not told of a loop that begins anew.
  case timeJumped(MediaTime)
  /// Played to its end; exactly once for each time it gets there.
  case playedToEnd
  /// Played backwards to its beginning.
  case playedToStart
  /// The data ended in the middle of something, or long before the end that the file announces, which is indefinite
  /// where it announces none.
  case endedEarly(at: MediaTime, announced: MediaTime)
  /// `Player.duration` is another one: known at last, or corrected.
  case durationChanged(MediaTime)
  /// More or less is cached, while the clock stands; not told for each frame.
  case loadedTimeRangesChanged
  /// The places of all frames are known now, or as many as ever will be.
  case framesIndexed
}
