import PlainText
import Playback
import TestSupport
import Testing

@testable import Movies

/// Volumes, silent pieces and clips that are only heard.
@Suite(.timeLimit(.minutes(20))) struct MovieSoundTests {
  private func read(_ text: String, _ form: MovieFile.Form = .yaml) throws -> MovieFile.Reading {
    try MovieFile.read(Array(text.utf8), form: form, name: "cut")
  }

  private func written(_ movie: MovieDocument, _ form: MovieFile.Form) throws -> (movie: MovieDocument, remarks: [String], text: String) {
    let (bytes, remarks) = try MovieFile.bytes(of: movie, form: form, name: "cut")
    let text = String(decoding: bytes, as: UTF8.self)
    return (try read(text, form).document, remarks, text)
  }

  private func time(_ frames: Int64) -> MediaTime { MediaTime(value: frames, timescale: 25) }

  private static let yaml = """
    quadrille: movie 1
    rate: 25
    pieces:
      - clip: a.mp4
        in: 0
        out: 4
        volume: 0.5
      - clip: b.mp4
        in: 1
        out: 5
        mute: true
        transition: dissolve 1
      - clip: a.mp4
        in: 4
        for: 2
        volume: 0 at 0, 1 at 12f, -20dB at 0:01.5
    overlays:
      - clip: pip.mp4
        for: 1
        at: 2
        volume: -6dB
    sounds:
      - clip: music.mp3
        in: 0:10
        for: 5
        at: 0
        fade: 1 2
        volume: 0.25
        name: Theme
      - clip: word.wav
        at: 3
    crossfade: linear

    """

  @Test func whatPeopleWriteAboutSound() throws {
    let movie = try read(Self.yaml).document
    #expect(movie.pieces.map(\.sound) == [
      MovieSound(volume: [.init(time: .zero, volume: 0.5)]), MovieSound(isMuted: true),
      MovieSound(volume: [.init(time: .zero, volume: 0), .init(time: time(12), volume: 1), .init(time: MediaTime(value: 3, timescale: 2), volume: 0.1)]),
    ])
    #expect(abs((movie.overlays[0].sound.volume.first?.volume ?? 0) - 0.501187) < 1e-6)
    #expect(movie.sounds.count == 2 && movie.sounds[0].fadeIn == time(25) && movie.sounds[0].fadeOut == time(50) && movie.sounds[0].name == "Theme")
    #expect(movie.sounds[1].clip == MovieClip(path: "word.wav") && movie.sounds[1].start == time(75) && movie.crossfade == .linear)
    let (again, remarks, text) = try written(movie, .yaml)
    #expect(again.pieces.map(\.sound) == movie.pieces.map(\.sound) && again.overlays.map(\.sound) == movie.overlays.map(\.sound))
    #expect(again.sounds.map(\.clip) == movie.sounds.map(\.clip) && again.sounds.map(\.sound) == movie.sounds.map(\.sound))
    #expect(again.crossfade == .linear && remarks.isEmpty)
    #expect(try written(again, .yaml).text == text)
  }

  @Test(arguments: [
    ("clip: a.mp4\n    volume: loud", "line 5: volume: \"loud\" is not a volume from 0 to 8"), ("clip: a.mp4\n    volume: 9", "line 5: volume"),
    ("clip: a.mp4\n    volume: 1 at 2, 0 at 2", "line 5: volume"), ("clip: a.mp4\n    mute: perhaps", "line 5: mute: \"perhaps\" is not true or false"),
    ("empty: 2\n    mute: true", "line 5: mute: cannot be combined with empty"), ("clip: a.mp4\n    volume: nan", "line 5: volume"),
    ("clip: a.mp4\nsounds:\n  - clip: a.mp3", "line 6: at: missing"), ("clip: a.mp4\nsounds:\n  - clip: a.mp3\n    at: 0\n    speed: -1", "line 8: speed: a sound cannot play backwards"),
  ])
  func errorsNameTheirPlace(lines: String, expected: String) throws {
    do {
      _ = try read("quadrille: movie 1\nrate: 25\npieces:\n  - \(lines)\n")
      Issue.record("no error for \(lines)")
    } catch let error as FileError {
      let text = "line \(error.line ?? 0): \(error.message)"
      #expect(text.hasPrefix(expected), "\(text)")
    }
  }

  // MARK: - Lists

  @Test func soundEventsOfTheirPicturesAndOthers() throws {
    let reading = try read(
      """
      TITLE: sound
      * FRAME RATE: 25
      001  ONE      V     C        00:00:00:00 00:00:02:00 01:00:00:00 01:00:02:00
      * FROM CLIP NAME: one.mov
      002  ONE      AA    C        00:00:00:00 00:00:02:00 01:00:00:00 01:00:02:00
      003  TWO      B     C        00:00:01:00 00:00:03:00 01:00:02:00 01:00:04:00
      * FROM CLIP NAME: two.mov
      004  TRE      V     C        00:00:01:00 00:00:03:00 01:00:04:00 01:00:06:00
      * FROM CLIP NAME: three.mov
      005  MUS      A     C        00:01:00:00 00:01:01:00 01:00:04:00 01:00:05:00
      * FROM CLIP NAME: music.wav
      006  MUS      A2    C        00:01:00:00 00:01:01:00 01:00:04:00 01:00:05:00
      * FROM CLIP NAME: music.wav
      007  SEC      A     D    010 00:00:05:00 00:00:06:00 01:00:05:00 01:00:06:00
      * FROM CLIP NAME: second.wav

      """, .edl)
    let movie = reading.document
    #expect(movie.pieces.map(\.sound.isMuted) == [false, false, true])
    #expect(movie.sounds.map(\.clip.path) == ["music.wav", "second.wav"])
    #expect(movie.sounds.map(\.start) == [time(100), time(125)])
    #expect(movie.sounds.map(\.fadeIn) == [.zero, time(10)] && movie.sounds.map(\.fadeOut) == [time(10), .zero])
    #expect(movie.sounds.map(\.clip.length) == [time(35), time(25)])
    // Written and read again, except for fades.
    let (again, remarks, text) = try written(movie, .edl)
    #expect(again.pieces.map(\.sound) == movie.pieces.map(\.sound))
    #expect(again.sounds.map(\.clip) == movie.sounds.map(\.clip) && again.sounds.map(\.start) == movie.sounds.map(\.start))
    #expect(remarks.contains("an edit decision list cannot store volumes and fades of sound; 2 omitted"), "\(remarks)")
    #expect(text.contains("001  ONE      AA/V  C") && text.contains("003  TRE      V     C") && text.contains("MUS      A     C"), "\(text)")
  }

  @Test func aListOfPicturesAloneIsHeard() throws {
    let list = "* FRAME RATE: 25\n001  ONE      V     C        00:00:00:00 00:00:02:00 01:00:00:00 01:00:02:00\n"
    let movie = try read(list, .edl).document
    #expect(movie.pieces.map(\.sound.isMuted) == [false])
    #expect(try written(movie, .edl).text.contains("ONE      V     C"))
  }

  // MARK: - Timelines

  @Test func timelinesKeepAllOfIt() throws {
    var movie = try read(Self.yaml).document
    let clip = MovieClip(path: "word.wav", motion: .plays(speed: Ratio(1, 1), until: .length(time(25))))
    movie.sounds[1].clip = clip
    let (again, remarks, _) = try written(movie, .openTimelineIO)
    #expect(again.pieces.map(\.sound) == movie.pieces.map(\.sound))
    #expect(again.overlays.map(\.sound) == movie.overlays.map(\.sound))
    #expect(Set(again.sounds.map(\.clip.path)) == ["music.mp3", "word.wav"] && again.crossfade == .linear)
    #expect(again.sounds.first { $0.name == "Theme" }?.fadeOut == time(50))
    #expect(remarks.contains { $0.contains("1 sound, ") && $0.contains("2 audible pieces") }, "\(remarks)")
    // What has been read is written back unchanged.
    let first = try written(movie, .openTimelineIO).text
    #expect(try written(again, .openTimelineIO).text == first)
  }

  @Test func audioTracksAreHeardInsteadOfThePictures() throws {
    func clip(_ file: String, _ start: Int, _ length: Int) -> String {
      """
      {"OTIO_SCHEMA": "Clip.1", "name": "\(file)", "metadata": {}, "effects": [], "markers": [], "enabled": true,
       "source_range": {"OTIO_SCHEMA": "TimeRange.1", "start_time": {"OTIO_SCHEMA": "RationalTime.1", "rate": 25.0, "value": \(start).0},
         "duration": {"OTIO_SCHEMA": "RationalTime.1", "rate": 25.0, "value": \(length).0}},
       "media_reference": {"OTIO_SCHEMA": "ExternalReference.1", "target_url": "\(file)", "available_range": null, "metadata": {}, "name": ""}}
      """
    }
    func offset(_ value: Int) -> String { #"{"OTIO_SCHEMA": "RationalTime.1", "rate": 25.0, "value": \#(value).0}"# }
    let transition = #"{"OTIO_SCHEMA": "Transition.1", "name": "", "metadata": {}, "transition_type": "SMPTE_Dissolve", "in_offset": \#(offset(5)), "out_offset": \#(offset(10))}"#
    func track(_ kind: String, _ children: [String]) -> String {
      #"{"OTIO_SCHEMA": "Track.1", "name": "\#(kind)", "kind": "\#(kind)", "metadata": {}, "source_range": null, "effects": [], "markers": [], "enabled": true, "children": [\#(children.joined(separator: ","))]}"#
    }
    let tracks = [track("Video", [clip("a.mov", 0, 50), clip("b.mov", 0, 50)]), track("Audio", [clip("a.wav", 0, 50), transition, clip("b.wav", 20, 50)])]
    let text = #"{"OTIO_SCHEMA": "Timeline.1", "name": "", "metadata": {}, "global_start_time": null, "tracks": {"OTIO_SCHEMA": "Stack.1", "name": "tracks", "metadata": {}, "source_range": null, "effects": [], "markers": [], "enabled": true, "children": [\#(tracks.joined(separator: ","))]}}"#
    let reading = try read(text, .openTimelineIO)
    let movie = reading.document
    #expect(reading.remarks.isEmpty && movie.pieces.map(\.sound.isMuted) == [true, true])
    #expect(movie.sounds.map(\.start) == [.zero, time(45)] && movie.sounds.map(\.clip.length) == [time(60), time(55)])
    #expect(movie.sounds.map(\.fadeOut) == [time(15), .zero] && movie.sounds.map(\.fadeIn) == [.zero, time(15)])
    let (again, _, _) = try written(movie, .openTimelineIO)
    #expect(again.sounds.map(\.clip) == movie.sounds.map(\.clip) && again.pieces.map(\.sound) == movie.pieces.map(\.sound))
    // In YAML, too.
    let yaml = try written(movie, .yaml).movie
    #expect(yaml.sounds.map(\.clip) == movie.sounds.map(\.clip) && yaml.sounds.map(\.fadeIn) == movie.sounds.map(\.fadeIn))
  }

  // MARK: - Composing

  @Test func volumesBecomeThoseOfTracks() throws {
    let video = try SampleMedia.clip(
      name: "heard.mkv",
      arguments: ["-f", "lavfi", "-i", "testsrc2=size=64x36:rate=25:duration=6", "-f", "lavfi", "-i", "sine=440:d=6", "-c:a", "flac", "-shortest"])
    let music = try SampleMedia.clip(name: "music.mp3", arguments: ["-f", "lavfi", "-i", "sine=220:d=4"])
    let text = Self.yaml.replacing("music.mp3", with: music).replacing("word.wav", with: "lost.wav")
      .replacing("a.mp4", with: video).replacing("b.mp4", with: video).replacing("pip.mp4", with: video).replacing("in: 0:10", with: "in: 1")
    let made = try MovieComposer().compose(read(text).document, movieAt: "cut.yaml")
    let movie = made.composition
    // The second piece is on the other track; the third one follows it there.
    let (first, second) = (movie.audioMix.volumes[0] ?? AudioVolume(), movie.audioMix.volumes[1] ?? AudioVolume())
    #expect([0, 99].map { first.volume(at: time($0)) } == [0.5, 0.5])
    #expect([75, 174, 175, 187, 200, 224].map { Float((second.volume(at: time($0)) * 1000).rounded()) } == [0, 0, 0, 1000, 541, 100])
    #expect(movie.audioTracks.count == 2 && movie.audioMix.crossfade == .linear)
    let theme = movie.audioMix.audioTrackVolumes[0] ?? AudioVolume()
    #expect(abs(theme.volume(at: MediaTime(value: 1, timescale: 2)) - 0.125) < 1e-5 && abs(theme.volume(at: time(60)) - 0.25) < 1e-5)
    #expect(abs(theme.volume(at: time(100)) - 0.125) < 1e-5)
    #expect(made.problems.map(\.message).contains("sound 2: lost.wav: no such file"), "\(made.problems)")
  }

  /// A fade consists of straight parts that are as good as a sine.
  @Test func fadesFollowASine() {
    var volume = AudioVolume()
    MovieSound(volume: [.init(time: .zero, volume: 0.5)]).set(
      from: time(100), length: time(100), fadeIn: time(50), fadeOut: time(25), in: &volume)
    for frame in Int64(0)..<100 {
      let (rise, fall) = (min(1, Double(frame) / 50), min(1, Double(100 - frame) / 25))
      let expected = 0.5 * AudioCrossfade.equalPower.volume(rise) * AudioCrossfade.equalPower.volume(fall)
      #expect(abs(Double(volume.volume(at: time(100 + frame))) - expected) < 0.0025, "\(frame)")
    }
  }
}
