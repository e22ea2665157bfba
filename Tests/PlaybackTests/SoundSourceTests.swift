import Foundation
import Pixels
import TestSupport
import Testing

@testable import Playback

/// Clips that have sound and nothing to be seen.
@Suite(.timeLimit(.minutes(20))) struct SoundSourceTests {
  /// A second of silence, a second of a loud tone, and so on for 8 s.
  static func clip(_ name: String, _ arguments: [String] = []) throws -> String {
    try SampleMedia.clip(
      name: name,
      arguments: ["-f", "lavfi", "-i", "aevalsrc='if(mod(floor(t),2),0.9*sin(880*PI*t),0)':s=44100:d=8"] + arguments)
  }

  private func source(_ path: String, track number: Int? = nil) throws -> SoundSource {
    let asset = Asset(path: path)
    let session = InputSession(asset.input)
    let opened = try session.open()
    let facts = AssetFacts(opened.demuxer)
    return try SoundSource(opened, session: session, facts: facts, track: number.map { facts.tracks[$0] })
  }

  private func next(_ source: SoundSource) throws -> (any SourceFrame)? {
    while true {
      switch try source.decodeNext(discard: .nothing) {
      case .frame(let frame): return frame
      case .progress: continue
      case .endOfStream: return nil
      }
    }
  }

  /// Returns the part of the pixels in a column that are as bright as sound.
  private func loudness(_ image: PixelImage, column: Int) -> Double {
    let bright = (0..<image.size.height).filter { image[column, $0].blue > 60 }
    return Double(bright.count) / Double(image.size.height)
  }

  @Test(arguments: ["tone.wav", "tone.flac", "tone.mp3", "tone.m4a", "tone.opus", "tone.mka"])
  func itShowsHowLoudItIs(name: String) throws {
    let source = try source(Self.clip(name, name == "tone.mka" ? ["-c:a", "pcm_f32le"] : []))
    #expect(abs(source.info.duration.seconds - 8) < 0.1 && source.info.nominalFrameRate == 25)
    var frames: [any SourceFrame] = []
    while let frame = try next(source) { frames.append(frame) }
    #expect((199...204).contains(frames.count))
    #expect(frames.map(\.timing.number) == Array(frames.indices))
    #expect(frames.enumerated().allSatisfy { $1.timing.pts == MediaTime(value: Int64($0), timescale: 25) })
    // At 2.5 s, in the midst of silence, sound lies on both sides: from 1 to 2 and from 3 to 4.
    let image = try frames[62].still(maximumSize: PixelSize(width: 160, height: 90)).image
    for (column, isLoud) in [(10, false), (40, true), (75, false), (120, true), (150, false)] {
      #expect((loudness(image, column: column) > 0.5) == isLoud, "\(name) \(column)")
    }
    #expect(loudness(image, column: 80) == 1, "the present is marked")
  }

  @Test func everyPlaceLooksAsOnTheWay() throws {
    let path = try Self.clip("tone.flac")
    let source = try source(path)
    var images: [PixelImage] = []
    while let frame = try next(source) { images.append(try frame.still(maximumSize: PixelSize(width: 80, height: 45)).image) }
    for number in [150, 3, 199, 0, 60, 61, 59, 120] {
      _ = try source.seek(to: MediaTime(value: Int64(number), timescale: 25), options: [])
      let frame = try #require(try next(source))
      #expect(frame.timing.number == number)
      #expect(try frame.still(maximumSize: PixelSize(width: 80, height: 45)).image == images[number], "\(number)")
    }
    // Behind the end the last one is displayed.
    _ = try source.seek(to: MediaTime(value: 20, timescale: 1), options: [])
    #expect(try next(source)?.timing.number == 199 && next(source) == nil)
    try source.rewind()
    #expect(try next(source)?.timing.number == 0)
  }

  /// Of two tracks, the second of which is silent, the one that is asked for is shown.
  @Test(arguments: [nil, 0, 1]) func theTrackThatIsChosen(number: Int?) throws {
    let tone = try Self.clip("tone.flac")
    let path = try SampleMedia.clip(
      name: "two.mka",
      arguments: ["-i", tone, "-f", "lavfi", "-i", "anullsrc=r=44100:cl=mono:d=8", "-map", "0", "-map", "1", "-c:a", "flac"])
    let source = try source(path, track: number)
    _ = try source.seek(to: MediaTime(value: 3, timescale: 2), options: [])
    let frame = try #require(try next(source))
    let image = try frame.still(maximumSize: PixelSize(width: 160, height: 90)).image
    #expect((loudness(image, column: 75) > 0.5) == (number != 1))
  }

  @Test func aCoverIsShownInstead() throws {
    let picture = try SampleMedia.clip(
      name: "cover.png", arguments: ["-f", "lavfi", "-i", "color=red:s=120x80", "-frames:v", "1"])
    let source = try source(
      Self.clip("covered.m4a", ["-i", picture, "-map", "0", "-map", "1", "-c:v", "copy", "-disposition:v", "attached_pic"]))
    #expect(source.info.presentationSize == PixelSize(width: 120, height: 80))
    let frame = try #require(try next(source))
    let color = try frame.still(maximumSize: PixelSize(width: 12, height: 8)).image[6, 4]
    #expect(color.red > 240 && color.green < 20)
    let request = RenderRequest(box: PixelSize(width: 30, height: 20))
    let later = try #require(try next(source))
    #expect(try later.render(for: request).image == frame.render(for: request).image)
    #expect(try later.render(for: request).timing.number == 1)
  }

  @Test func withoutSoundThereIsNothing() throws {
    #expect(throws: PlaybackError.self) { try source(SampleMedia.words()) }
  }

  /// Sound after the gap has its own time.
  @Test func aGapIsSilent() throws {
    let path = try Self.clip("gap.mka", ["-af", "asetpts='if(gte(T,4),PTS+3/TB,PTS)'", "-c:a", "pcm_s16le"])
    let source = try source(path)
    var frames: [any SourceFrame] = []
    while let frame = try next(source) { frames.append(frame) }
    #expect((270...278).contains(frames.count))
    // At 7.5 s, the second of silence from 4 on: before it the gap, behind it the tone from 8 to 9.
    let image = try frames[187].still(maximumSize: PixelSize(width: 160, height: 90)).image
    for (column, isLoud) in [(10, false), (40, false), (75, false), (120, true), (150, false)] {
      #expect((loudness(image, column: column) > 0.5) == isLoud, "\(column)")
    }
  }
}
