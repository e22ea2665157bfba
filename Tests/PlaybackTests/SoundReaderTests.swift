import Foundation
import TestSupport
import Testing

@testable import Playback

/// A track's sound as samples, compared with what ffmpeg decodes.
@Suite(.timeLimit(.minutes(20))) struct SoundReaderTests {
  /// A clip of noise, which no two places of have in common.
  static func noise(_ name: String, rate: Int = 48_000, channels: Int = 2, seconds: Double = 4, _ coding: [String]) throws -> String {
    let layout = [1: "mono", 2: "stereo", 6: "5.1", 8: "7.1"][channels] ?? "\(channels)c"
    let channel = (0..<channels).map { "0.5*sin(2*PI*t*(\(200 + 130 * $0)+90*t))" }.joined(separator: "|")
    return try SampleMedia.clip(
      name: name, arguments: ["-f", "lavfi", "-i", "aevalsrc='\(channel)':c=\(layout):s=\(rate):d=\(seconds)"] + coding)
  }

  static func reader(_ path: String, _ form: SoundForm) throws -> SoundReader {
    let asset = Asset(path: path)
    let opened = try InputSession(asset.input).open()
    let facts = AssetFacts(opened.demuxer)
    let stream = try #require(opened.demuxer.streams.first { $0.kind == .audio })
    return try SoundReader(opened.demuxer, stream: stream, startTime: facts.startTime, form: form)
  }

  /// Reads up to a number of samples, or to the end.
  static func read(_ source: any SampleSource, _ form: SoundForm, count: Int = .max) throws -> [Float] {
    var samples: [Float] = []
    while samples.count / form.channels < count, try source.read(into: &samples) {}
    return count == .max ? samples : Array(samples.prefix(count * form.channels))
  }

  /// What ffmpeg decodes of the first sound track.
  static func reference(_ path: String, _ form: SoundForm, _ arguments: [String] = []) throws -> [Float] {
    let data = try MediaTool.run(
      "ffmpeg", ["-v", "error", "-i", path, "-map", "0:a:0"] + arguments
        + ["-ar", "\(form.rate)", "-ac", "\(form.channels)", "-f", "f32le", "-"])
    return data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }

  struct Coding: CustomTestStringConvertible, Sendable {
    let name: String
    var rate = 48_000
    var channels = 2
    let arguments: [String]
    var testDescription: String { "\(name) \(rate) \(channels)" }
  }

  static let codings: [Coding] = [
    Coding(name: "a.wav", rate: 44_100, arguments: ["-c:a", "pcm_s16le"]),
    Coding(name: "b.wav", rate: 8_000, channels: 1, arguments: ["-c:a", "pcm_u8"]),
    Coding(name: "c.mkv", rate: 192_000, arguments: ["-c:a", "pcm_s24le"]),
    Coding(name: "d.flac", rate: 96_000, arguments: []),
    Coding(name: "e.mp3", rate: 44_100, arguments: ["-c:a", "libmp3lame", "-b:a", "128k"]),
    Coding(name: "f.m4a", rate: 44_100, arguments: ["-c:a", "aac"]),
    Coding(name: "g.aac", arguments: ["-c:a", "aac"]),
    Coding(name: "h.opus", arguments: ["-c:a", "libopus"]),
    Coding(name: "i.webm", arguments: ["-c:a", "libopus"]),
    Coding(name: "j.ogg", rate: 44_100, arguments: ["-c:a", "libvorbis"]),
    Coding(name: "k.ac3", channels: 6, arguments: ["-c:a", "ac3"]),
    Coding(name: "l.mka", channels: 8, arguments: ["-c:a", "flac"]),
    Coding(name: "m.ts", arguments: ["-c:a", "aac", "-f", "mpegts"]),
  ]

  /// All samples, at the clip's own rate: each is that of ffmpeg.
  ///
  /// WebM begins at the codec's delay, in whole milliseconds.
  @Test(arguments: codings.filter { !$0.name.hasSuffix(".webm") }) func everySampleComes(coding: Coding) throws {
    let path = try Self.noise(coding.name, rate: coding.rate, channels: coding.channels, coding.arguments)
    // Fewer channels are mixed so that they cannot clip, which ffmpeg does only with whole numbers.
    let form = SoundForm(rate: coding.rate, channels: min(coding.channels, 2))
    let own = try Self.read(Self.reader(path, form), form)
    let reference = try Self.reference(path, form, coding.channels > 2 ? ["-af", "aresample=rematrix_maxval=1"] : [])
    #expect(abs(own.count - reference.count) <= 2 * form.channels, "\(own.count) \(reference.count)")
    let worst = zip(own, reference).map { abs($0 - $1) }.max() ?? 1
    #expect(worst < 1e-4, "\(worst)")
  }

  /// At any place, reading gives what it would have given on the way there.
  ///
  /// Not in Matroska and WebM, whose timestamps are whole milliseconds.
  @Test(arguments: codings.filter { !$0.name.hasSuffix(".mkv") && !$0.name.hasSuffix(".mka") && !$0.name.hasSuffix(".webm") })
  func everyPlaceIsExact(coding: Coding) throws {
    let path = try Self.noise(coding.name, rate: coding.rate, channels: coding.channels, coding.arguments)
    let form = SoundForm(rate: coding.rate, channels: min(coding.channels, 2))
    let all = try Self.read(Self.reader(path, form), form)
    let reader = try Self.reader(path, form)
    for seconds in [2.0, 0.5, 3.0, 3.001, 0, 1.2345, 1.0] {
      let place = Int(seconds * Double(form.rate))
      try reader.seek(to: Int64(place))
      #expect(reader.position == place)
      let count = form.rate / 10
      let own = try Self.read(reader, form, count: count)
      let worst = zip(own, all[(place * form.channels)...]).map { abs($0 - $1) }.max() ?? 1
      // Decoders for speech and music begin anew: Opus and Vorbis converge on what they would have decoded.
      #expect(own.count == count * form.channels && worst < 0.02, "\(seconds) \(worst)")
    }
  }

  /// Another rate: as many samples as it should have, in place.
  @Test(arguments: [44_100, 48_000, 96_000, 22_050]) func samplesAreConverted(rate: Int) throws {
    let path = try Self.noise("rates.flac", rate: 32_000, [])
    let form = SoundForm(rate: rate, channels: 2)
    let own = try Self.read(Self.reader(path, form), form)
    #expect(abs(own.count / 2 - 4 * rate) <= 2)
    let reference = try Self.reference(path, form)
    let worst = zip(own, reference).dropFirst(200).dropLast(400).map { abs($0 - $1) }.max() ?? 1
    #expect(worst < 0.001, "\(worst)")
  }

  /// Sound that starts after the first frame is preceded by silence; what comes before it is left out.
  @Test(arguments: [0.5, -0.5]) func soundHasItsPlaceBesideTheFrames(delay: Double) throws {
    let sound = try Self.noise("offset.wav", ["-c:a", "pcm_s16le"])
    let path = try SampleMedia.clip(
      name: "offset\(delay).mkv",
      arguments: ["-itsoffset", "\(1 + delay)", "-i", sound, "-itsoffset", "1"] + SampleMedia.numbered(rate: "25", seconds: 3)
        + ["-c:v", "mpeg4", "-c:a", "pcm_s16le"])
    let form = SoundForm(rate: 48_000, channels: 2)
    let own = try Self.read(Self.reader(path, form), form, count: 2 * 48_000)
    let reference = try Self.reference(sound, form)
    let shift = Int(delay * 48_000) * 2
    if shift > 0 {
      #expect(own[..<shift].allSatisfy { $0 == 0 })
      let follows = Array(own[shift...]) == Array(reference[..<(own.count - shift)])
      #expect(follows)
    } else {
      let follows = own == Array(reference[(-shift)..<(-shift + own.count)])
      #expect(follows)
    }
  }

  /// A hole of two seconds between timestamps is silence, however long it takes to cross it.
  @Test func holesAreSilent() throws {
    let sound = try Self.noise("hole.wav", ["-c:a", "pcm_s16le"])
    let path = try SampleMedia.clip(
      name: "hole.mka",
      arguments: ["-i", sound, "-af", "asetpts=PTS+gte(T\\,1.9)*2/TB", "-c:a", "pcm_s16le"])
    let form = SoundForm(rate: 48_000, channels: 2)
    let own = try Self.read(Self.reader(path, form), form)
    let reference = try Self.reference(sound, form)
    // Matroska's timestamps are whole milliseconds, which are 48 samples of two channels on either side.
    #expect(abs(own.count - reference.count - 2 * 48_000 * 2) <= 48)
    let first = try #require(own.indices.dropFirst(4800).first { own[$0..<min(own.count, $0 + 200)].allSatisfy { $0 == 0 } })
    // Not inside the expectation, which would take long to say how they differ.
    let agreesBefore = Array(own[..<first]) == Array(reference[..<first])
    #expect(agreesBefore)
    let after = try #require(own.indices.dropFirst(first).first { own[$0] != 0 })
    #expect(abs(after - first - 192_000) <= 48)
    let agreesAfter = Array(own.suffix(40_000)) == Array(reference.suffix(40_000))
    #expect(agreesAfter)
    let reader = try Self.reader(path, form)
    try reader.seek(to: 3 * 48_000)
    let silence = try Self.read(reader, form, count: 9600)
    #expect(silence.count == 19_200 && silence.allSatisfy { $0 == 0 })
  }
}
