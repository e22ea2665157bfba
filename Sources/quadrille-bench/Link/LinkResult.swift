/// The figures of one run, as a viewer sees it.
struct LinkResult {
  /// For each pane, the mean PSNR of the snapshots in decibels, and the median lag in seconds.
  var panes: [(psnr: Double, lag: Double)] = []
  /// Updates per second of the pane with the fewest; nil if they cannot be told apart.
  var updates: Double?
  /// Frames per second of that clip that differ from the one before in the part where updates were counted.
  var changes = 0.0
  /// Bytes per second that the terminal received during playback.
  var rate = 0.0
  /// Bytes per second that the link carried, if different.
  var linkRate: Double?
  /// Seconds from keys to their chrome, p95.
  var key = 0.0
  /// Seconds from keys that go one second back, from rest, until each pane is more like the new frame than like what it
  /// showed before; nil for never.
  var seek: [Double?] = []
  /// Seconds from the last repeat of that key, held, until each pane is more like the last frame than like the one a second
  /// later; nil for never.
  var scrub: Double?
  /// Seconds from `q` to the end.
  var quit = 0.0
  /// Seconds from the key that pauses until each pane shows 40 dB, and the exact frame; nil if not in time.
  var clear: Double?
  var exact: Double?
  /// Seconds in which the exact frames should be there: the time of their bytes at nine tenths of the link's rate, the round
  /// trip and 0.3 s; nil if the link's rate is unknown.
  var exactLimit: Double?
}
