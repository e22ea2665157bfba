import DecodePool
import Pixels
import TestSupport
import Testing

@testable import Playback

/// No public call traps on a value that its caller can compute: each is made with the extremes of its types.
@Suite(.timeLimit(.minutes(20))) struct ExtremeValueTests {
  /// A group of calls, named for the report.
  struct Calls: CustomTestStringConvertible, Sendable {
    var name: String
    var make: @Sendable () throws -> Void
    var testDescription: String { name }

    init(_ name: String, _ make: @escaping @Sendable () throws -> Void) { (self.name, self.make) = (name, make) }
  }

  static let integers: [Int] = [.min, .min + 1, -1 << 61, -1, 0, 1, 2, 1 << 61, .max - 1, .max]
  static let hosts = integers.map(HostTime.init)
  static let numbers: [Double] = [
    -.infinity, -.greatestFiniteMagnitude, -1e300, -1, -.leastNonzeroMagnitude, 0, .leastNonzeroMagnitude, 0.5, 1, 1e300,
    .greatestFiniteMagnitude, .infinity, .nan,
  ]
  static let scales: [Int32] = [.min, -1, 0, 1, 1001, 1_000_000_000, .max - 1, .max]
  static let times: [MediaTime] =
    [.invalid, .indefinite, .negativeInfinity, .positiveInfinity]
    + [Int64.min, .min + 1, -1, 0, 1, .max - 1, .max].flatMap { value in
      [1, 1001, 1_000_000_000, Int32.max].map { MediaTime(value: value, timescale: $0) }
    }
  static let ranges = times.flatMap { start in times.map { TimeRange(start: start, duration: $0) } }
  /// A few ranges with every time in them.
  static let someRanges = ranges.enumerated().filter { $0.offset % 9 == 0 }.map(\.element)
  static let sizes = integers.flatMap { width in [Int.min, -1, 0, 1, .max].map { PixelSize(width: width, height: $0) } }
  static let ratios = scales.flatMap { above in scales.map { Ratio(above, $0) } }

  /// Plays a script on a clock that shows one time, and makes `calls` before and after each of some steps.
  static func play(
    _ script: FrameScript = .constant(count: 5), at host: HostTime = 1_000_000_000_000,
    _ calls: (Player, VideoOutput, TimeObserverBus) -> Void
  ) {
    let clock = ManualClock(start: host)
    let pool = DecodePool(threads: 0, now: clock.unsignedNow)
    let bus = TimeObserverBus(clock: clock)
    let player = Player(context: PlaybackContext(pool: pool, bus: bus))
    let output = VideoOutput(player, request: StagePane.request)
    let observers = [
      player.addPeriodicTimeObserver(forInterval: .positiveInfinity, on: InlineExecutor()) { _ in },
      player.addBoundaryTimeObserver(forTimes: times, on: InlineExecutor()) { _ in },
    ]
    player.replaceCurrentItem(with: PlayerItem { ScriptedSource(script) })
    for _ in 0..<4 {
      calls(player, output, bus)
      for _ in 0..<20 { _ = pool.runNextStep() }
      bus.deliver()
      _ = (bus.nextDelivery(), player.currentTime(), player.statistics, player.cachedTimeRanges, player.timeControlStatus)
      if let (_, due) = output.copyFrame(at: host) { output.didShow(due: due, at: host) }
      _ = output.nextFrameTime(after: host)
    }
    withExtendedLifetime(observers) {}
  }

  static let players: [Calls] = [
    Calls("the rate at host times") {
      for host in hosts {
        play { player, output, _ in
          for rate in numbers {
            for time in times + [nil] {
              player.setRate(rate, time: time, atHostTime: host)
              _ = player.currentTime()
            }
            for other in hosts {
              _ = output.nextFrameTime(after: other)
              _ = output.copyFrame(at: other)
            }
          }
        }
      }
    },
    Calls("the host clock") {
      for host in hosts { play(at: host) { player, _, _ in for rate in numbers { player.rate = rate } } }
    },
    Calls("rates, limits and budgets") {
      for number in integers {
        play { player, _, _ in
          (player.cacheBudget, player.loopLimit) = (number, number)
          player.openQueuedItems(number)
          player.step(byCount: number)
          player.step(byCount: number)
          _ = player.time(ofFrame: number)
          for rate in numbers { (player.defaultRate, player.rate) = (rate, rate) }
        }
      }
    },
    Calls("seeks and loops") {
      for time in times {
        play { player, _, _ in
          player.loopRange = TimeRange(start: time, duration: .positiveInfinity)
          player.play()
          for other in times {
            player.seek(to: time, toleranceBefore: other, toleranceAfter: other)
            player.loopRange = TimeRange(start: time, duration: other)
            _ = player.timing(at: other)
          }
        }
      }
    },
    Calls("frames of a source") {
      for time in times where time.isNumeric {
        for duration in [MediaTime(value: 1, timescale: 25), .positiveInfinity, .indefinite, MediaTime(nanoseconds: .max)] {
          let frames = (0..<3).map { FrameScript.Frame(pts: time + MediaTime(value: $0, timescale: 25), duration: duration, isKey: true) }
          for rate in [1.7, -3, 16] {
            play(FrameScript(frames, announcedDuration: time, nominalFrameRate: .greatestFiniteMagnitude)) { player, output, _ in
              player.rate = rate
              player.seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero)
              _ = output.copyFrame(at: .max)
            }
          }
        }
      }
    },
    Calls("statistics") {
      play { _, output, _ in
        for due in hosts { for host in hosts { output.didShow(due: due, at: host) } }
      }
      var histogram = DurationHistogram()
      for value in hosts { histogram.record(value) }
      for number in numbers { #expect(histogram.percentile(number) <= histogram.maximum) }
    },
  ]

  static let values: [Calls] = [
    Calls("rectangles") {
      for x in integers {
        for width in integers {
          let rect = PixelRect(x: x, y: width, width: width, height: x)
          _ = (rect.maxX, rect.maxY, rect.isEmpty, rect.size.area, rect.contains(x: width, y: x))
          for other in integers {
            let common = rect.intersection(PixelRect(x: other, y: other, width: width, height: .max))
            #expect(common.width >= 0 && common.height >= 0)
          }
        }
      }
    },
    Calls("orientations") {
      for size in sizes {
        for turns in integers {
          _ = Orientation(quarterTurns: turns, isMirrored: true).sourcePixel(x: turns, y: size.height, displayed: size)
        }
      }
    },
    Calls("the layout of frames") {
      for size in sizes {
        for gravity in Gravity.allCases {
          for number in numbers {
            for other in numbers {
              let region = FrameRegion(x: number, y: other, width: other, height: number)
              let geometry = FrameGeometry(aspect: number, region: region, box: size, pixelAspect: other, gravity: gravity)
              #expect(geometry.imageSize.width > 0 && geometry.imageSize.height > 0 && geometry.imageSize.area <= 1 << 28)
            }
          }
          for other in sizes { _ = RenderRequest(box: size, gravity: gravity).geometry(ofFrame: other) }
        }
        for other in sizes { #expect(!Still.size(of: size, maximum: other).isEmpty) }
      }
    },
    Calls("ratios") { for ratio in ratios { _ = (ratio.value, ratio.isPositive) } },
  ]

  static let mediaTimes: [Calls] = [
    Calls("arithmetic") {
      for time in times {
        for other in times {
          _ = (time + other, time - other, time < other, time == other, time.hashValue)
          _ = (TimeRange(start: time, end: other), TimeRange(start: time, duration: other).end)
        }
        for number in integers { _ = time * number }
        for number in numbers { _ = time * number }
        for above in scales { for below in scales { _ = time.multiplied(by: above, dividedBy: below) } }
        _ = (-time, time.absoluteValue, time.seconds, time.nanoseconds, time.description)
      }
    },
    Calls("conversion") {
      for scale in scales {
        for rounding in MediaTimeRounding.allCases {
          for time in times {
            _ = time.converted(toTimescale: scale, rounding: rounding)
            for other in scales { _ = time.ticks(timeBaseNumerator: scale, timeBaseDenominator: other, rounding: rounding) }
          }
        }
        for number in numbers { _ = MediaTime(seconds: number, preferredTimescale: scale) }
        for ticks in hosts { for other in scales { _ = MediaTime(ticks: ticks, timeBaseNumerator: scale, timeBaseDenominator: other) } }
      }
    },
    Calls("clock texts") {
      for time in times {
        for digits in integers {
          let text = time.clockText(fractionDigits: digits, rounding: .awayFromZero)
          _ = MediaTime(clockText: text)
          for other in [time, .zero] { _ = FrameTiming(pts: other, duration: time).clockText(fractionDigits: digits) }
        }
      }
    },
    Calls("ranges") {
      for range in ranges {
        for other in someRanges {
          _ = (range.intersection(other), range.union(other), range.contains(other), MediaTime.zero.mapped(from: range, to: other))
        }
        for time in times { _ = (range.contains(time), range.clamped(time), time.mapped(from: range, to: range)) }
      }
    },
    Calls("timelines") {
      for time in times {
        for number in integers where number <= 2 {
          let timeline = PresentationTimeline(frameCount: number, frameDuration: time, randomAccessInterval: number)
          for other in times { _ = (timeline?.frameNumber(at: other), timeline?.timing(at: other)) }
          for other in integers {
            _ = (timeline?.time(ofFrame: other), timeline?.timing(ofFrame: other), timeline?.randomAccessFrame(for: other))
          }
        }
      }
    },
    Calls("cues") {
      var timeline = SubtitleTimeline()
      for range in ranges { timeline.insert(SubtitleCue(timeRange: range, lines: [SubtitleLine([SubtitleSpan("\(range)")])])) }
      for time in times {
        _ = (timeline.cues(at: time), timeline.nextChange(after: time), timeline.cue(from: time, forward: time == .zero))
        for cue in timeline.cues.prefix(20) { _ = cue.opacity(at: time) }
      }
    },
  ]

  static let compositions: [Calls] = [
    Calls("edits") {
      let asset = Asset(path: "none")
      for track in integers {
        #expect(track == 0 || isRefused({ try $0.insertEmpty(TimeRange(start: .zero, duration: .init(value: 1, timescale: 1)), track: track) }))
      }
      for range in someRanges {
        var movie = Composition()
        try? movie.append(range, of: asset, videoTrack: .max)
        try? movie.insertFreeze(at: range.start, of: asset, duration: range.duration, at: range.start)
        for time in times {
          movie.scale(range, to: time, isReversed: true)
          try? movie.insertEmpty(TimeRange(start: range.start, duration: time))
          _ = movie.tracks.first?.segment(at: time)
        }
        movie.remove(range, track: .max)
        movie.remove(range)
        movie.videoComposition.frameDuration = range.start
        movie.videoComposition.instructions = [
          VideoCompositionInstruction(timeRange: range, transition: .crossDissolve, from: .max, to: .min)
        ]
        movie.videoComposition.overlays = [
          CompositionOverlay(
            .clip(CompositionClip(asset: asset, timeRange: range)), timeRange: range, opacity: .nan, fadeIn: range.start,
            fadeOut: range.duration)
        ]
        _ = (CompositionPlan(movie), movie.duration)
      }
    },
    Calls("sizes") {
      var movie = Composition()
      try movie.insertEmpty(TimeRange(start: .zero, duration: MediaTime(value: 1, timescale: 25)))
      for size in sizes {
        movie.videoComposition.renderSize = size
        let track = try #require(try Asset(composition: movie).wait(for: .facts).preferredVideoTrack)
        #expect(!track.presentationSize.isEmpty && track.presentationSize.area <= 1 << 28)
        guard size != PixelSize(width: 1, height: 1) else { continue }
        var options = VideoRenderer.Options()
        options.size = size
        #expect(throws: PlaybackError.self) { try VideoRenderer(asset: Asset(composition: movie), options: options).render(to: "/nowhere/a.mkv") }
      }
    },
    Calls("transitions") {
      let frame = PlainFrame()
      let layer = CompositedFrame.Layer(frame: frame, aspect: 1)
      for angle in numbers {
        for transition in [VideoTransition.push(angle: angle), .wipe(angle: angle, softness: angle)] {
          for progress in [0, 0.5, 1] {
            let composed = CompositedFrame(
              .transition(transition, progress: progress, from: layer, to: layer), overlays: [], size: PlainFrame.size,
              timing: frame.timing)
            _ = try composed.still(maximumSize: PixelSize(width: 0, height: 0))
            let region = FrameRegion(x: angle, y: 1e-9, width: 1e-9, height: angle)
            _ = try composed.render(for: RenderRequest(box: PlainFrame.size, region: region))
          }
        }
      }
    },
    Calls("the place of text") {
      let writer = SSAWriter(size: PixelSize(width: 16_384, height: 16_384), format: .ass)
      for number in numbers {
        for other in numbers {
          var place = SubtitlePlacement()
          (place.x, place.maxWidth, place.height) = (number, other, .fraction(number))
          let cue = SubtitleCue(timeRange: .all, lines: [SubtitleLine([SubtitleSpan("a")])], placement: place)
          _ = writer.line([cue], number: .max)
        }
      }
    },
    Calls("limits of files") {
      for limit in integers {
        _ = try? InputText.read("/etc/hostname", limit: limit)
        _ = try? FolderListing.read("/etc", limit: min(limit, 3)) { _ in true }
      }
    },
  ]

  @Test(arguments: players + values + mediaTimes + compositions) func nothingTraps(_ calls: Calls) throws { try calls.make() }

  /// Times within reach are as exact as before; those beyond it count as its limit.
  @Test func clocksStopAtTheLimit() {
    Self.play { player, _, _ in
      player.setRate(2, time: .zero, atHostTime: .max)
      #expect(player.rate == 2)
      player.setRate(2, time: .zero, atHostTime: .min)
      #expect(player.currentTime() >= .zero)
    }
  }

  private static func isRefused(_ edit: (inout Composition) throws -> Void) -> Bool {
    var movie = Composition()
    do { try edit(&movie) } catch { return error is PlaybackError }
    return false
  }
}

/// A grey frame.
private final class PlainFrame: SourceFrame {
  static let size = PixelSize(width: 4, height: 4)
  let timing = FrameTiming(pts: .zero, duration: MediaTime(value: 1, timescale: 25))

  func render(for request: RenderRequest) throws -> RenderedFrame {
    RenderedFrame(for: request, size: Self.size, timing: timing) { _, _ in (128, 128, 128) }
  }

  func still(maximumSize: PixelSize) throws -> Still {
    Still(maximumSize: maximumSize, size: Self.size, timing: timing) { _, _ in (128, 128, 128) }
  }
}
