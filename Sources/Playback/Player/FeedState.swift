/// On the way to a picture: a seek, a loop's turn, or a fresh look at the present time.
struct Positioning {
  enum Purpose: Equatable {
    /// The first picture of an item that was just opened.
    case first
    /// `SeekState.active` waits for it.
    case seek
    /// The first picture of the loop's next round.
    case loop
    /// The present time again: the pane's size changed, or it was hidden.
    case refresh
    /// Pictures for the cache only, while the display moves back.
    case prefetch
    /// The end of the held pictures that are being played meanwhile.
    case resume
  }

  // What is wanted.
  var purpose: Purpose
  var target: MediaTime
  /// The picture may lie anywhere in target − before … target + after.
  var before = MediaTime.zero
  var after = MediaTime.zero
  /// Whether decoding has to begin where it is known to be right.
  var mustBeCertain = false
  /// Whether the pictures on the way are kept, because the display moves back over them.
  var keepsPassed = false
  /// Nobody waits for it: it is done while the display rests.
  var isFill = false

  // How far it is.
  /// Whether the source has to go elsewhere first.
  var needsSeek = true
  /// Times that the source came out behind the target.
  var attempts = 0
  /// The last picture seen that begins at or before the target.
  var candidate: FrameTiming?
  /// Whether the target was left out on the way once, so that nothing may be from now on.
  var mustBeWhole = false
  /// Whether a picture near the target has been shown on the way.
  var hasPreviewed = false
  /// Pictures that have come out on the way, and the host time of the first.
  var passed = 0
  var firstAt: HostTime = 0

  var seekOptions: SeekOptions {
    var options: SeekOptions = []
    if mustBeCertain { options.insert(.mustBeCertain) }
    // What is missing, or was passed already, is so too where another seek has left a decoder on the way.
    if mustBeWhole || attempts > 0 { options.insert(.withFreshDecoder) }
    return options
  }

  /// The earliest time that will do.
  var earliest: MediaTime { target - before }
  var latest: MediaTime { target + after }
}

/// How a lane's time goes, lately: at work, or ready and waiting for a worker.
struct LaneLoad {
  private var worked: HostTime = 0
  private var waited: HostTime = 0
  private var began: HostTime?
  private var ready: HostTime?
  /// So many nanoseconds count.
  private static let memory: HostTime = 500_000_000

  mutating func begin(at host: HostTime) {
    if let ready { waited += max(0, host - ready) }
    ready = nil
    began = host
  }

  /// A step has ended; the next one is to begin at `next`.
  mutating func end(at host: HostTime, next: HostTime) {
    if let began { worked += max(0, host - began) }
    began = nil
    ready = max(host, next)
    if worked + waited > Self.memory {
      worked /= 2
      waited /= 2
    }
  }

  /// Whether the lane is held up by others to a good part, rather than slow by itself: three lanes that take turns at
  /// two workers wait half as long as they work.
  var isHeldUp: Bool { 5 * waited > 2 * worked }
}

/// Filling the memory around a display that rests.
struct Fill {
  /// Host time of the last move.
  var movedAt: HostTime = 0
  /// It is to begin once the display has rested for a while.
  var isPending = false
  var isOn = false
  /// Where it has begun since the last move.
  var tried: Set<MediaTime> = []
}

/// What the lane is doing with the source.
struct FeedState {
  enum Phase: Equatable {
    /// Nothing to decode from.
    case idle
    case positioning
    case filling
    /// All pictures up to the end have been decoded.
    case atEnd
    /// The display has gone on in the cache, away from where the source is.
    case parked
  }

  /// Belongs to every result: what was begun in an older one is thrown away.
  var epoch = 0
  var phase = Phase.idle
  var positioning: Positioning?
  /// The loop's round that is being decoded.
  var iteration = 0
  var discard = DiscardLevel.nothing
  /// The picture decoded last.
  var last: FrameTiming?
  /// Pictures that have come out since some were last left out of decoding.
  var sinceDiscard = Self.mostDelayed
  static let mostDelayed = DecodingRun.maxDelayed
  /// Whether the last picture may lack a part: one of two fields, where that is left out by itself.
  var mayLackPart: Bool { sinceDiscard < 32 }
  /// Since when pictures have come out too late, one after another.
  var lateSince: HostTime?
  /// Whether another player that shares the pool is behind for want of threads.
  var isReliefWanted = false
  var load = LaneLoad()
  /// Whether somebody scrubs in one of the panes.
  var isSomeoneScrubbing = false
  var fill = Fill()
  /// Whether the source can go to other places than on.
  var canSeek = true
  /// Whether what is built on no other picture can be left out without a change to the rest.
  var canLeaveOut = false
  /// Bytes of decoders that wait where seeks to elsewhere have left them.
  var waitingBytes = 0
  /// Host time when a picture was last rendered.
  var lastRender: HostTime = 0
  /// A fresh look is wanted once the present way is done.
  var needsRefresh = false
  /// Where the clock rests and the displayed picture has been found to be the right one, or was asked for anew.
  var restsAt: Int64?
  /// The picture from which a jump to catch up leaves out all others.
  var jumpsFrom: FrameTiming?
  /// Where the last look ahead for going back began; a second one there would find no more.
  var barrenPrefetch: MediaTime?
  /// What is left out of decoding ahead of the way back, because the machine is too slow for all of it.
  var discardGoingBack = DiscardLevel.nothing
  /// Host time when a picture was last shown on the way to another, and the one that was.
  var lastPreview: HostTime = 0
  var previewed: MediaTime?
  /// The loop's round is played from the cache; the source is not at its end.
  var isRoundFromCache = false
  /// Whether the index was asked for, once there was something to see.
  var hasAskedForIndex = false
  /// On the way back a late display gets what it has missed only after this host time.
  var mayLagAfter: HostTime = 0
  /// No jump to catch up before this host time.
  var mayJumpAfter: HostTime = 0

  init(epoch: Int = 0) { self.epoch = epoch }

  mutating func begin(_ positioning: Positioning) {
    self.positioning = positioning
    isRoundFromCache = false
    phase = .positioning
    discard = .nothing
  }
}
