import Playback
import TestSupport

@testable import Movies

/// Documents that the YAML form can say, made of a seed.
struct RandomMovies {
  private var random: SeededGenerator

  /// Where it is set, all times are whole frames of this rate, and few.
  private let rate: Ratio?

  init(seed: UInt64, inFramesOf rate: Ratio? = nil) {
    random = SeededGenerator(seed: seed)
    self.rate = rate
  }

  private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  private mutating func maybe<T>(_ value: T) -> T? { chance(50) ? value : nil }

  private static let pieces = [
    "a", "B", "7", " ", "\n", "\t", "\r\n", "\"", "'", "#", ": ", ":", "- ", "-", "\\", "%41", "{", "[", "]", "}", ",", "&a",
    "*a", "!", "|",
    ">", "@", "`", "~", "null", "yes", "é", "e\u{301}", "日本", "👩‍👩‍👧", "\u{7F}", "\u{85}", "\u{2028}", "\u{FEFF}", "\u{1B}[31m",
    "\u{0}", "\u{200E}",
    "\u{E000}", "/", "...", "---", "=", "<<",
  ]

  mutating func text() -> String {
    (0..<Int.random(in: 0...6, using: &random)).map { _ in Self.pieces.randomElement(using: &random) ?? "" }.joined()
  }

  mutating func path() -> String {
    var bytes = (0..<Int.random(in: 0...8, using: &random)).map { _ in UInt8.random(in: 1...255, using: &random) }
    if chance(50) { bytes = Array(text().utf8).filter { $0 != 0 } }
    let path = Asset.path(ofBytes: bytes + Array(".mp4".utf8))
    return ClipName.networkScheme(path) == nil ? path : "a.mp4"
  }

  mutating func time(from least: Int64 = 0) -> MediaTime {
    if let rate { return MediaTime(frames: Int64.random(in: least...10_000, using: &random), at: rate) }
    let scale: Int32 = [1, 24, 25, 1000, 24000, 30000, 90000, 1_000_000_000, Int32.max].randomElement(using: &random) ?? 1
    return MediaTime(value: Int64.random(in: least...(1 << 40), using: &random), timescale: scale)
  }

  mutating func length() -> MediaTime { time(from: 1) }

  mutating func speed() -> Ratio {
    let sign: Int64 = chance(30) ? -1 : 1
    return Ratio(reducing: sign * Int64.random(in: 1...1000, using: &random), Int64.random(in: 1...1000, using: &random))
      ?? Ratio(1, 1)
  }

  mutating func foreign() -> JSONValue? {
    chance(80) ? nil : ["OTIO_SCHEMA": .string(text()), "n": [.number("1.50e+3"), .null, .boolean(true), .string(text())]]
  }

  mutating func clip() -> MovieClip {
    var clip = MovieClip(path: path())
    if chance(20) {
      clip.start = maybe(.time(time()))
      clip.motion = .freezes(length())
      return clip
    }
    var end = MovieClip.End.clipEnd
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      let start = time()
      clip.start = .time(start)
      end = .position(.time(start + length()))
    case 1:
      let start = Int.random(in: 0...100_000, using: &random)
      clip.start = .frame(start)
      end = .position(.frame(start + Int.random(in: 1...1000, using: &random)))
    case 2:
      clip.start = Timecode(hours: 1, minutes: 2, seconds: 3, frames: 4, isDropFrame: chance(50)).map(ClipPosition.timecode)
      end = .position(.frame(7))
    case 3:
      if let code = Timecode("01:00:00:10") {
        clip.start = .listed(code, at: chance(50) ? Ratio(24000, 1001) : rate ?? Ratio(25, 1))
      }
      end = .length(length())
    case 4: end = .length(length())
    default: break
    }
    clip.motion = .plays(speed: chance(50) ? Ratio(1, 1) : speed(), until: end)
    return clip
  }

  mutating func transition() -> MovieTransition {
    let angle = Double.random(in: -360...360, using: &random)
    let kinds: [MovieTransition.Kind] = [
      .dissolve, .fade(through: .white), .fade(through: MovieColor(red: 1, green: 22, blue: 233)),
      .wipe(angle: angle, softness: Double.random(in: 0...1, using: &random)), .push(angle: angle),
    ]
    let ticks = Int64.random(in: 2...100, using: &random)
    let length = rate.map { MediaTime(frames: ticks, at: $0) } ?? MediaTime(value: ticks, timescale: 30_000)
    var transition = MovieTransition(kinds.randomElement(using: &random) ?? .dissolve, length: length)
    if chance(50) {
      transition.cut = chance(50) ? length : rate.map { MediaTime(frames: 1, at: $0) } ?? MediaTime(value: 1, timescale: 30_000)
    }
    transition.foreign = foreign()
    return transition
  }

  mutating func piece(isFirst: Bool) -> MoviePiece {
    var piece: MoviePiece
    switch Int.random(in: 0..<4, using: &random) {
    case 0: piece = MoviePiece(.empty(length() + MediaTime(value: 1, timescale: 1)))
    case 1: piece = MoviePiece(.missing(MissingPiece(name: text(), reason: text(), length: nil)))
    default: piece = MoviePiece(.clip(clip()), videoTrack: maybe(2))
    }
    piece.name = maybe(text())
    // Transitions are short, but a piece may be shorter.
    let isLong = piece.length(rate: nil).map { $0 > MediaTime(value: 1, timescale: 100) } ?? true
    if !isFirst, chance(40), isLong { piece.transition = transition() }
    piece.foreign = foreign()
    piece.line = SourceLine(Int.random(in: 1...9, using: &random))
    return piece
  }

  mutating func overlay() -> MovieOverlay {
    let content: MovieOverlay.Content =
      chance(30)
      ? .text(text(), length: maybe(length())) : chance(50) ? .image(path: path(), length: maybe(length())) : .clip(clip())
    let places: [OverlayPlace] =
      OverlayPlace.Name.allCases.map(OverlayPlace.named) + [.rectangle(x: 0, y: 1e-7, width: 0.1, height: 1)]
    var overlay = MovieOverlay(
      content, start: time(), place: places.randomElement(using: &random) ?? .named(.top), name: maybe(text()))
    if chance(50) { overlay.fadeIn = time() }
    if chance(50) { overlay.fadeOut = time() }
    if chance(50) { overlay.opacity = Double.random(in: 0...1, using: &random) }
    overlay.foreign = foreign()
    return overlay
  }

  mutating func markers() -> [MovieMarker] {
    (0..<Int.random(in: 0...3, using: &random)).map { _ in
      var marker = MovieMarker(time: time(), length: maybe(length()) ?? .zero, name: text())
      marker.foreign = foreign()
      return marker
    }
  }

  mutating func movie() -> MovieDocument {
    var movie = MovieDocument(
      title: maybe(text()),
      output: MovieOutput(
        size: maybe(PixelSize(width: 1280, height: 720)), rate: maybe(chance(50) ? Ratio(25, 1) : Ratio(30000, 1001)),
        pixelFormat: maybe("yuv420p10le"), blending: chance(20) ? .linear : .coded))
    movie.startTimecode = maybe(Timecode("01:00:00;00")).flatMap { $0 }
    for index in 0..<Int.random(in: 0...8, using: &random) { movie.pieces.append(piece(isFirst: index == 0)) }
    // A piece that is too short for the transition behind it.
    for index in movie.pieces.indices.dropFirst() where movie.pieces[index].transition != nil {
      let before = movie.pieces[index - 1].length(rate: movie.output.rate)
      let own = movie.pieces[index].length(rate: movie.output.rate)
      let least = MediaTime(value: 1, timescale: 100)
      if before.map({ $0 <= least }) == true || own.map({ $0 <= least }) == true { movie.pieces[index].transition = nil }
    }
    if let rate { movie.output.rate = rate }
    movie.overlays = (0..<Int.random(in: 0...3, using: &random)).map { _ in overlay() }
    movie.markers = markers()
    movie.chapters = markers()
    movie.foreign = foreign()
    return movie
  }
}

extension RandomMovies {
  /// A movie whose pieces all say how long they are, in whole frames, and are longer than the transitions at their ends.
  mutating func closedMovie() -> MovieDocument {
    var movie = self.movie()
    movie.pieces = movie.pieces.filter { piece in
      guard let rate = movie.output.rate, let length = piece.length(rate: rate) else { return false }
      return (length.frames(at: rate) ?? 0) > 250
    }
    for index in movie.pieces.indices {
      // Kept words that would be written instead of the document's.
      movie.pieces[index].foreign = nil
      movie.pieces[index].transition?.foreign = nil
      if index == 0 { movie.pieces[index].transition = nil }
    }
    movie.foreign = nil
    return movie
  }
}
