import Sound
import TestSupport
import Testing

@testable import Playback

/// The loudness that tags state, and what is made of it.
@Suite(.timeLimit(.minutes(20))) struct ReplayGainTests {
  private func track(_ text: String) -> Double? { ReplayGain(tags: ["replaygain_track_gain": text])?.track?.decibels }

  @Test(arguments: [
    ("-7.89 dB", -7.89), ("+3.5 dB", 3.5), ("3.5", 3.5), (" -0.10 DB ", -0.1), ("12dB", 12), ("0.00 dB", 0), ("-5. dB", -5),
    // No file is that loud or quiet.
    ("-99 dB", -48), ("99999", 24),
  ]) func gainsAreRead(text: String, decibels: Double) { #expect(track(text) == decibels) }

  @Test(arguments: ["", "dB", "-", "+-3", "--3", "1e3", "0x10", "nan", "inf", "3,5 dB", "3 dB dB", "٣ dB", "3\0", ".5", "1.2.3",
    String(repeating: "9", count: 400)]) func anythingElseIsNot(text: String) {
    #expect(track(text) == nil)
  }

  /// Opus states gains to −23 LUFS, in units of 1/256 dB.
  @Test(arguments: [("-2048", -3.0), ("256", 6), ("0", 5), ("+128", 5.5), ("-32768", -48)])
  func gainsOfOpus(text: String, decibels: Double) {
    #expect(ReplayGain(tags: ["r128_track_gain": text])?.track?.decibels == decibels)
  }

  @Test(arguments: ["32768", "-7.5", "1 dB", "", "999999999999"]) func noGainsOfOpus(text: String) {
    #expect(ReplayGain(tags: ["r128_track_gain": text]) == nil)
  }

  @Test func theOtherGainStandsIn() {
    let both = ReplayGain(tags: ["replaygain_track_gain": "-3 dB", "replaygain_album_gain": "-5 dB", "replaygain_album_peak": "0.5"])
    #expect(both?.gain(.track)?.decibels == -3 && both?.gain(.album)?.decibels == -5 && both?.gain(.off) == nil)
    #expect(both?.gain(.album)?.peak == 0.5 && both?.gain(.track)?.peak == nil)
    let one = ReplayGain(tags: ["replaygain_album_gain": "-5 dB"])
    #expect(one?.gain(.track)?.decibels == -5)
    #expect(ReplayGain(tags: ["replaygain_track_peak": "0.5", "title": "x"]) == nil)
  }

  @Test(arguments: [("0.5", 2.0), ("1.25", 0.8), ("0", 3.98), ("-1", 3.98), ("nan", 3.98), ("99", 3.98)])
  func peaksLimitIt(text: String, linear: Double) throws {
    let gain = try #require(ReplayGain(tags: ["replaygain_track_gain": "12", "replaygain_track_peak": text])?.track)
    #expect(abs(Double(gain.linear) - linear) < 0.01)
  }

  /// What is heard is the clip's samples times the gain.
  @Test(arguments: ["mp3", "flac", "opus", "m4a", "mka"]) func samplesAreAmplified(ending: String) async throws {
    let tags = ending == "opus" ? ["R128_TRACK_GAIN=-2816"] : ["REPLAYGAIN_TRACK_GAIN=-6.00 dB", "REPLAYGAIN_TRACK_PEAK=0.4"]
    // FFmpeg writes no other tags to MP4.
    let container = ending == "m4a" ? ["-movflags", "use_metadata_tags"] : []
    let path = try SampleMedia.clip(
      name: "gain.\(ending)",
      arguments: ["-f", "lavfi", "-i", "sine=440:d=1:r=48000", "-af", "volume=2"] + tags.flatMap { ["-metadata", $0] } + container)
    func samples(_ mode: ReplayGain.Mode) async throws -> [Float] {
      var options = Asset.Options()
      options.replayGain = mode
      let asset = Asset(path: path, options: options)
      _ = try await asset.load(.facts)
      let item = PlayerItem(asset: asset)
      #expect((item.replayGain != nil) == (mode != .off), "\(ending) has no gain")
      let reader = try #require(try item.openSound(SoundForm(rate: 48_000, channels: 1)))
      var samples: [Float] = []
      while try reader.read(into: &samples) {}
      return samples
    }
    let plain = try await samples(.off), quiet = try await samples(.track)
    #expect(plain.count == quiet.count && plain.contains { abs($0) > 0.2 })
    #expect(zip(plain, quiet).allSatisfy { abs($0 * 0.501187 - $1) < 1e-4 })
  }

  /// Without a stated peak, loud samples are bent, so that none clips.
  @Test func nothingClips() throws {
    final class Loud: SampleSource {
      var position: Int64 = 0
      func seek(to position: Int64) {}
      func read(into samples: inout [Float]) -> Bool {
        samples += [7, 0.1, -0.9, 0.5, 1]
        return false
      }
    }
    var samples: [Float] = [7]
    #expect(try !AmplifiedSound(Loud(), gain: .init(decibels: 12)).read(into: &samples))
    #expect(samples[0] == 7, "what was there already")
    #expect(samples.dropFirst().allSatisfy { abs($0) <= 1 } && abs(samples[2] - 0.398) < 0.001)
    samples = []
    _ = try AmplifiedSound(Loud(), gain: .init(decibels: 12, peak: 7)).read(into: &samples)
    #expect(samples.allSatisfy { abs($0) <= 1.0001 } && abs(samples[1] - 0.1 / 7) < 1e-6)
  }
}
