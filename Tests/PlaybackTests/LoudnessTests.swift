import Foundation
import Pixels
import TestSupport
import Testing

@testable import Playback

/// Loudness against what ffmpeg's filter measures, and what is kept of it.
@Suite(.timeLimit(.minutes(20))) struct LoudnessTests {
  /// A clip, and a source of its sound.
  struct Case: CustomTestStringConvertible {
    let name: String
    let input: String

    var testDescription: String { name }
    func path() throws -> String {
      try SampleMedia.clip(name: name, arguments: ["-f", "lavfi", "-i", input, "-c:a", name.hasSuffix("wav") ? "pcm_f32le" : "flac"])
    }
  }

  private static let swelling = "0.5*random(0)*(0.02+abs(sin(t*0.8)))"
  static let cases = [
    Case(name: "loud.stereo.flac", input: "aevalsrc='\(swelling)|0.3*sin(900*t)*gt(t,2)':s=48000:d=9"),
    Case(name: "loud.mono.flac", input: "aevalsrc='\(swelling)':s=44100:d=8"),
    Case(name: "loud.low.flac", input: "aevalsrc='0.7*sin(400*t)*lt(mod(t,3),2)':s=8000:d=7"),
    Case(name: "loud.high.wav", input: "aevalsrc='\(swelling)|\(swelling)':s=192000:d=4"),
    // Every channel by itself for a while, and all of them.
    Case(
      name: "loud.5.1.wav",
      input: "aevalsrc='"
        + (0..<6).map { "0.4*sin(\(700 + 211 * $0)*t)*(between(mod(t,7),\($0),\($0 + 1))+gt(mod(t,7),6)*0.2)" }.joined(separator: "|")
        + "':c=5.1:s=48000:d=14"),
    Case(name: "loud.side.flac", input: "aevalsrc='0|0|0.01*sin(999*t)|0.9*sin(300*t)|0.2*sin(2000*t)|0':c=5.1(side):s=48000:d=5"),
  ]

  /// Momentary, short-term and integrated loudness as ffmpeg measures them, every 100 ms.
  private func reference(_ path: String) throws -> [(momentary: Double, shortTerm: Double, integrated: Double)] {
    let data = try MediaTool.run(
      "ffmpeg",
      ["-v", "error", "-nostdin", "-i", path, "-af", "ebur128=metadata=1,ametadata=print:file=-", "-f", "null", "-"])
    var values: [String: [Double]] = [:]
    for line in String(decoding: data, as: UTF8.self).split(separator: "\n") {
      let parts = line.split(separator: "=")
      if parts.count == 2, let value = Double(parts[1]) { values[String(parts[0]), default: []].append(value) }
    }
    let rows = zip(zip(values["lavfi.r128.M"] ?? [], values["lavfi.r128.S"] ?? []), values["lavfi.r128.I"] ?? [])
    return rows.map { ($0.0, $0.1, $1) }
  }

  private func same(_ a: Double, _ b: Double) -> Bool { abs(a - b) < 0.1 || (a < -69 && b < -69) }

  @Test(arguments: cases) func itIsWhatFFmpegMeasures(_ clip: Case) async throws {
    let path = try clip.path()
    let reference = try reference(path)
    #expect(reference.count > 30)
    let asset = Asset(path: path), session = InputSession(asset.input)
    let opened = try session.open()
    let source = try SoundSource(opened, session: session, facts: AssetFacts(opened.demuxer))
    var compared = 0
    while true {
      let step = try source.decodeNext(discard: .nothing)
      if case .endOfStream = step { break }
      guard case .frame(let frame) = step, frame.timing.number % 5 == 0, frame.timing.number > 0 else { continue }
      let loudness = try #require(try frame.render(for: RenderRequest(box: PixelSize(width: 2, height: 2))).loudness)
      let place = frame.timing.number * 2 / 5 - 1
      guard place < reference.count else { break }
      let wanted = reference[place]
      // Of a part of its time, ffmpeg tells nothing.
      if place >= 3 { #expect(same(loudness.momentary, wanted.momentary), "\(frame.timing.number) \(loudness) \(wanted)") }
      if place >= 29 { #expect(same(loudness.shortTerm, wanted.shortTerm), "\(frame.timing.number) \(loudness) \(wanted)") }
      compared += 1
    }
    #expect(compared > 15)
    let overview = try await Self.overview(path)
    let integrated = try #require(overview.integratedLoudness)
    #expect(abs(integrated - reference[reference.count - 1].integrated) < 0.1)
  }

  /// Surveys a file to its end.
  static func overview(_ path: String, folder: String? = nil) async throws -> SoundOverview {
    let asset = Asset(path: path)
    _ = try await asset.load(.facts)
    let (news, continuation) = AsyncStream.makeStream(of: Void.self)
    let survey = try #require(SoundSurvey(asset: asset, folder: folder) { continuation.yield() })
    for await _ in news { if let known = survey.overview, known.isComplete { return known } }
    throw CancellationError()
  }

  @Test func silenceHasNoLoudness() async throws {
    let path = try SampleMedia.clip(name: "silent.flac", arguments: ["-f", "lavfi", "-i", "anullsrc=r=8000:cl=mono:d=5"])
    let overview = try await Self.overview(path)
    #expect(overview.integratedLoudness == nil && overview.parts.count == 500 && overview.parts.allSatisfy { $0 == .init() })
  }
}

/// The course of a clip's sound, as it is kept.
@Suite(.timeLimit(.minutes(20))) struct SoundOverviewTests {
  private func level(_ value: Float) -> SoundLevel { SoundLevel(peak: value, power: value / 2, weighted: 0) }

  @Test func partsTellWhenItIsLoud() async throws {
    let overview = try await LoudnessTests.overview(SoundSourceTests.clip("tone.flac"))
    #expect(overview.parts.count == 800 && overview.partDuration == MediaTime(value: 1, timescale: 100))
    for second in 0..<8 {
      let part = try #require(overview.sound(in: TimeRange(
        start: MediaTime(value: Int64(second * 10 + 1), timescale: 10), end: MediaTime(value: Int64(second * 10 + 9), timescale: 10))))
      #expect(second % 2 == 0 ? part.peak < 0.01 : abs(part.peak - 0.9) < 0.01 && abs(part.power - 0.636) < 0.01)
    }
    #expect(overview.sound(in: TimeRange(start: MediaTime(value: 9, timescale: 1), end: MediaTime(value: 10, timescale: 1))) == nil)
  }

  @Test func itStaysSmall() throws {
    var overview = SoundOverview()
    for index in 0..<100_000 { overview.add(level(index == 77_777 ? 1 : 0.5)) }
    overview.finish()
    #expect(overview.parts.count <= SoundOverview.maxParts && overview.parts.count > SoundOverview.maxParts / 2)
    let length = overview.partDuration.seconds
    #expect(abs(Double(overview.parts.count) * length - 1000) <= length)
    let loudest = try #require(overview.parts.firstIndex { $0.peak == 1 })
    #expect(abs(Double(loudest) * length - 777.77) <= length)
    #expect(overview.parts.dropLast().allSatisfy { abs($0.power - 0.25) < 0.02 })
  }

  /// A file may contain any timestamp.
  @Test(arguments: [5, 4096, 4097, 1_000_000, 1 << 40, Int64.max]) func silenceOfAnyLength(index: Int64) {
    var overview = SoundOverview()
    for _ in 0..<5 { overview.add(level(1)) }
    overview.skip(to: index)
    overview.add(level(1))
    overview.finish()
    #expect(overview.parts.count <= SoundOverview.maxParts)
    if index < 1 << 38 {
      #expect(overview.parts.last.map { $0.peak == 1 } == true && overview.parts.first?.peak == 1)
      #expect(overview.parts.dropFirst(5).dropLast().allSatisfy { $0.peak == 0 })
    }
  }

  @Test func whatIsKeptComesBack() async throws {
    let folder = try TemporaryFolder()
    let path = try SoundSourceTests.clip("tone.flac")
    let first = try await LoudnessTests.overview(path, folder: folder.path)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.count == 1 && names[0].hasSuffix(".sound"))
    let second = try await LoudnessTests.overview(path, folder: folder.path)
    #expect(second.parts.count == first.parts.count && second.partDuration == first.partDuration)
    #expect(zip(first.parts, second.parts).allSatisfy { abs($0.peak - $1.peak) < 0.01 && abs($0.power - $1.power) < 0.01 })
    #expect(abs((second.integratedLoudness ?? 0) - (first.integratedLoudness ?? 1)) < 0.01)
  }

  @Test func damagedBytesAreNothing() {
    var overview = SoundOverview()
    for _ in 0..<10 { overview.add(level(0.3)) }
    overview.finish()
    let bytes = overview.encoded
    #expect(SoundOverview(decoding: bytes[...])?.parts.count == 10)
    for damaged in [[], Array(bytes.dropLast()), [99] + bytes.dropFirst(), [bytes[0], 200] + bytes.dropFirst(2),
      bytes + [UInt8](repeating: 0, count: 20_000)] {
      #expect(SoundOverview(decoding: damaged[...]) == nil)
    }
  }

  /// Ending a survey does not wait for the file.
  @Test func aSurveyCanBeGivenUp() async throws {
    let asset = Asset(path: try SoundSourceTests.clip("tone.flac"))
    #expect(SoundSurvey(asset: asset, folder: nil) {} == nil, "its facts are not loaded")
    _ = try await asset.load(.facts)
    var survey = SoundSurvey(asset: asset, folder: nil) {}
    #expect(survey != nil)
    survey = nil
    let words = Asset(path: try SampleMedia.words())
    _ = try? await words.load(.facts)
    #expect(SoundSurvey(asset: words, folder: nil) {} == nil)
  }
}
