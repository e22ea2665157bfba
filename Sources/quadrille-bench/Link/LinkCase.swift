/// A link between a program and its terminal.
struct LinkSpeed: Sendable {
  var name: String
  /// Bytes per second; nil if unlimited.
  var rate: Double?
  /// Round trip in seconds.
  var roundTrip: Double

  /// Maximum number of bytes waiting before the link.
  static let buffer = 256_000

  static let megabit = LinkSpeed(name: "1 Mbit/s, 100 ms", rate: 125_000, roundTrip: 0.1)
  static let tenMegabits = LinkSpeed(name: "10 Mbit/s, 100 ms", rate: 1_250_000, roundTrip: 0.1)
  static let far = LinkSpeed(name: "unlimited, 100 ms", rate: nil, roundTrip: 0.1)
  static let slow = LinkSpeed(name: "200 kbit/s, 300 ms", rate: 25_000, roundTrip: 0.3)
}

/// A clip with a name for what it shows.
struct LinkClip: Sendable {
  /// The name in the table.
  var name: String
  var path: String
}

/// The targets of a row; nil where there is none.
struct LinkTargets: Sendable {
  /// Minimum decibels of each pane.
  var psnr: [Double] = []
  /// Minimum updates per second.
  var updates: Double?
  /// Maximum seconds that a frame may be late; the best match is sought among the frames within it.
  var lag: Double
  /// Maximum seconds until a paused frame has 40 dB.
  var clear: Double? = 1
  /// Maximum seconds from a key to its chrome; nil for the round trip and 100 ms.
  var key: Double?
  /// Maximum seconds from `q` to the end; nil for the round trip and 250 ms.
  var quit: Double?
}

/// One row: clips over a link, and their targets.
struct LinkCase: Sendable {
  /// The name for `--row`.
  var row: String
  var speed: LinkSpeed
  /// One for each pane.
  var clips: [LinkClip]
  var targets: LinkTargets
  /// True if the terminal shows updates whole.
  var isSynchronized = false
  /// Additional arguments of the program.
  var arguments: [String] = []

  var title: String {
    let clips = clips.count == 1 ? clips[0].name : "\(clips.count) panes"
    return isSynchronized ? "\(clips), whole updates" : clips
  }
}

/// The clips that the rows are about, as far as they are there.
struct LinkClips: Sendable {
  var zoom: String
  var film: String?
  var animation: String?
  var camera: String?

  /// All rows in order, and sentences about those that stay out.
  var cases: (cases: [LinkCase], missing: [String]) {
    var cases: [LinkCase] = []
    var missing: [String] = []
    func add(
      _ row: String, _ speed: LinkSpeed, _ clips: [(String, String?)], _ targets: LinkTargets,
      _ arguments: [String] = []
    ) {
      let there = clips.compactMap { name, path in path.map { LinkClip(name: name, path: $0) } }
      guard there.count == clips.count else {
        let absent = clips.filter { $0.1 == nil }.map(\.0).joined(separator: ", ")
        missing.append("\(row) stays out: there is no clip for \(absent)")
        return
      }
      cases.append(
        LinkCase(
          row: row, speed: speed, clips: there, targets: targets, arguments: arguments))
    }
    let zoom = ("zoom", Optional(self.zoom))
    let film = ("film", self.film)
    let animation = ("animation", self.animation)
    let camera = ("camera", self.camera)
    add("zoom", .megabit, [zoom], LinkTargets(psnr: [23], updates: 8, lag: 0.35))
    add("film", .megabit, [film], LinkTargets(psnr: [36], updates: 10, lag: 0.3))
    add("animation", .megabit, [animation], LinkTargets(psnr: [29], updates: 10, lag: 0.3))
    add(
      "panes", .megabit, [zoom, film, animation, camera], LinkTargets(psnr: [21, 34, 28, 34], updates: 8, lag: 0.35))
    add("fast-film", .tenMegabits, [film], LinkTargets(psnr: [46], updates: 24, lag: 0.2))
    add("fast-zoom", .tenMegabits, [zoom], LinkTargets(psnr: [32], updates: 20, lag: 0.2))
    add("far", .far, [zoom], LinkTargets(psnr: [60], updates: 29, lag: 0.12), ["--quality", "exact"])
    add("slow", .slow, [film], LinkTargets(psnr: [28], updates: 5, lag: 0.9))
    // The same with whole updates, where these make a difference.
    for item in cases where ["zoom", "film", "fast-film", "fast-zoom", "far"].contains(item.row) {
      var whole = item
      (whole.row, whole.isSynchronized) = ("whole", true)
      cases.append(whole)
    }
    return (cases, missing)
  }
}
