/// What a viewer sees of one run.
struct LinkResult {
  /// Of each pane: the mean PSNR of the snapshots in decibels, and the median lag in seconds.
  var panes: [(psnr: Double, lag: Double)] = []
  /// Updates a second of the pane with the fewest; nil where they cannot be told apart.
  var updates: Double?
  /// Frames a second of that clip that differ from the one before, where the updates were counted.
  var changes = 0.0
  /// Bytes a second that the terminal took while it played.
  var rate = 0.0
  /// Bytes a second that the link carried, where these are others.
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
  /// Seconds from the key that pauses until each pane shows 40 dB, and the exact frame; nil for not in time.
  var clear: Double?
  var exact: Double?
  /// Seconds in which the exact frames should be there: what their bytes take at nine tenths of the link, the round trip and
  /// 0.3 s; nil where what the link carries is not known.
  var exactLimit: Double?
}
