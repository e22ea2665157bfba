import Testing

@testable import Sound

/// The ring against a plain model, and its media times.
@Suite(.timeLimit(.minutes(20))) struct SampleRingTests {
  private struct Model {
    var start = 0
    var samples: [[Float]] = []
    var media: [(Double, Int)] = []
  }

  @Test(arguments: 1...30 as ClosedRange<UInt64>) func behavesLikeAList(seed: UInt64) {
    var noise = Noise(seed: seed)
    let format = SoundFormat(rate: 8000, channels: 1 + noise.below(2))
    let ring = SampleRing(format: format, capacity: 1 + noise.below(300))
    var model = Model()
    var (media, perSample, timeline) = (0.0, 125_000.0, 0)
    for _ in 0..<500 {
      switch noise.below(12) {
      case 0:
        ring.removeAll()
        model = Model()
      case 1..<4:
        let position = model.start + noise.below(200) - 20
        ring.trim(before: Int64(position))
        let start = min(max(position, model.start), model.start + model.samples.count)
        model.samples.removeFirst(start - model.start)
        model.media.removeFirst(start - model.start)
        model.start = start
      default:
        if noise.below(4) == 0 {
          (media, perSample, timeline) = (Double(noise.below(1_000_000_000)), 100_000 + noise.next() * 50_000, noise.below(3))
        }
        let count = noise.below(150)
        let samples = (0..<count).map { _ in (0..<format.channels).map { _ in Float(noise.next()) } }
        let room = ring.room
        let taken = samples.flatMap(\.self).withUnsafeBufferPointer {
          ring.append($0, at: MediaPlace(media: Int64(media), timeline: timeline), mediaPerSample: perSample)
        }
        #expect(taken == min(room, count))
        model.samples += samples[..<taken]
        for index in 0..<taken { model.media.append((media + Double(index) * perSample, timeline)) }
        media += Double(taken) * perSample
      }
      #expect((ring.start, ring.end) == (Int64(model.start), Int64(model.start + model.samples.count)))
      #expect(ring.room <= ring.capacity - model.samples.count)
      var values: [Float] = []
      ring.withValues(ring.start..<ring.end) { pointer, _, count in
        values += UnsafeBufferPointer(start: pointer, count: count * format.channels)
      }
      #expect(values == model.samples.flatMap(\.self))
      if let index = model.media.indices.randomElement() {
        let place = ring.place(at: Double(model.start + index))
        #expect(place?.timeline == model.media[index].1)
        #expect(abs(Double(place?.media ?? 0) - model.media[index].0) <= 1_000)
      }
    }
  }

  @Test func mediaTimesLeadToPositionsAndBack() throws {
    let ring = SampleRing(format: SoundFormat(rate: 48_000), capacity: 48_000)
    let values = [Float](repeating: 0, count: 9600)
    func append(at milliseconds: Int, timeline: Int, stretch: Double = 1) {
      let place = MediaPlace(media: Int64(milliseconds) * 1_000_000, timeline: timeline)
      values.withUnsafeBufferPointer { _ = ring.append($0, at: place, mediaPerSample: stretch * 1e9 / 48_000) }
    }
    #expect(ring.place(at: 0) == nil)
    #expect(ring.position(media: 0, timeline: 0) == nil)
    append(at: 1000, timeline: 0)
    append(at: 1100, timeline: 0)
    append(at: 0, timeline: 1)
    append(at: 100, timeline: 1, stretch: 2)
    #expect(ring.position(media: 1.15e9, timeline: 0) == 7200)
    // Before the first, and after the last of a timeline.
    #expect(ring.position(media: 0.9e9, timeline: 0) == -4800)
    #expect(ring.position(media: 1.3e9, timeline: 0) == 14_400)
    #expect(ring.position(media: 0.05e9, timeline: 1) == 12_000)
    #expect(ring.position(media: 0.2e9, timeline: 1) == 16_800)
    #expect(ring.position(media: 0, timeline: 2) == nil)
    #expect(ring.place(at: 16_800) == MediaPlace(media: 200_000_000, timeline: 1))
    #expect(ring.place(at: 4800 - 480) == MediaPlace(media: 1_090_000_000, timeline: 0))
  }

  @Test func valuesFromOutsideAreLimited() {
    let ring = SampleRing(format: SoundFormat(rate: 48_000, channels: 1), capacity: 10)
    let values: [Float] = [.nan, .infinity, -.infinity, 1e30, -0.5, .leastNonzeroMagnitude]
    values.withUnsafeBufferPointer { _ = ring.append($0, at: MediaPlace(media: .max), mediaPerSample: 1) }
    ring.withValues(0..<6) { pointer, _, _ in
      #expect(Array(UnsafeBufferPointer(start: pointer, count: 6)) == [0, 8, -8, 8, -0.5, .leastNonzeroMagnitude])
    }
    values.withUnsafeBufferPointer {
      #expect(ring.append($0, at: MediaPlace(media: 0), mediaPerSample: .nan) == 0)
      #expect(ring.append($0, at: MediaPlace(media: 0), mediaPerSample: -1) == 0)
    }
    #expect(ring.place(at: 3) == nil)
  }

  /// Timestamps without any order make a stretch each; they are bounded.
  @Test func timestampsWithoutOrderAreBounded() {
    let ring = SampleRing(format: SoundFormat(rate: 48_000, channels: 1), capacity: 100_000)
    var taken = 0
    for number in 0..<10_000 {
      taken += [Float](repeating: 0, count: 1).withUnsafeBufferPointer {
        ring.append($0, at: MediaPlace(media: Int64(number % 2)), mediaPerSample: 1000)
      }
    }
    #expect(taken < 1000)
    ring.trim(before: ring.end)
    #expect(ring.room > 0)
  }
}
