import Glibc

extension PairAligner {
  /// Gives frames without a partner within a run that goes on as if nothing had been, and at the ends of runs, the partner that
  /// the run suggests, where it is not too different. Returns those.
  func fillHoles(_ frames: inout [Int?], _ costs: PairCosts, _ rate: Double) -> Set<Int> {
    var filled: Set<Int> = []
    func fit(_ c: Int, _ r: Int) -> Float {
      costs.windows.index(c, r).map { costs.distances[$0] / costs.noise[c] } ?? .infinity
    }
    var c = 1
    while c < m {
      guard frames[c] == nil, let before = frames[c - 1] else {
        c += 1
        continue
      }
      var end = c
      while end < m, frames[end] == nil { end += 1 }
      guard end < m, let after = frames[end] else { break }
      let length = end - c + 1
      if abs(Double(after - before) - rate * Double(length)) < 1.01, length <= 40 {
        let suggested = (c..<end).map { before + Int((Double(after - before) * Double($0 - c + 1) / Double(length)).rounded()) }
        let fits = zip(c..<end, suggested).map { fit($0, $1) }
        let distances = zip(c..<end, suggested).map { c, r in costs.windows.index(c, r).map { costs.distances[$0] } ?? .infinity }
        if median(fits) < 12 || (length <= 4 && mean(distances) < 0.15 * costs.typical) {
          for (c, r) in zip(c..<end, suggested) {
            frames[c] = r
            filled.insert(c)
          }
        }
      }
      c = end
    }
    return filled
  }

  /// Moves runs that fit better some frames earlier or later, and takes the partner from those, and from ends of runs, that do
  /// not fit.
  func check(_ frames: inout [Int?], _ look: inout CloserLook?, _ rate: Double) {
    guard var closer = look else { return }
    let usual = closer.usualDifference
    for run in runs(frames, rate) {
      var run = run
      if run.count >= 4 {
        let sample = spread(run.count, 32).map { run[$0] }
        func level(_ lag: Int) -> Float? {
          var sum: Float = 0, count = 0
          for c in sample {
            guard let r = frames[c], r + lag >= 0, r + lag < n else { continue }
            sum += log(closer.difference(of: c, from: r + lag) + 0.5)
            count += 1
          }
          return count >= max(4, sample.count * 4 / 5) ? sum / Float(count) : nil
        }
        if let here = level(0) {
          var best = (level: here, lag: 0)
          for lag in [-1, 1, -2, 2, -3, 3, -4, 4, -5, 5, -6, 6, -7, 7, -8, 8] {
            if let other = level(lag), other < best.level - 1e-6 { best = (other, lag) }
          }
          if best.lag != 0, best.level < here - 0.3, best.level < log(8 * usual) {
            for c in run {
              frames[c] = frames[c].flatMap { r in r + best.lag >= 0 && r + best.lag < n ? r + best.lag : nil }
              closer.set(c, frames[c].map { closer.difference(of: c, from: $0) } ?? 0)
            }
            run = run.filter { frames[$0] != nil }
          }
        }
      }
      guard !run.isEmpty else { continue }
      let values = run.map { closer.differences[$0] }
      if median(values) > max((run.count > 4 ? 15 : 6) * usual, run.count > 4 ? 40 : 12) {
        for c in run { frames[c] = nil }
        continue
      }
      for ends in [run, run.reversed()] {
        let isWrong = ends.map { closer.differences[$0] > max(18 * usual, 40) }
        var count = 0
        while count < isWrong.count {
          let next = isWrong[count..<min(isWrong.count, count + 5)]
          guard Double(next.filter { $0 }.count) > 0.7 * Double(next.count) else { break }
          count += 1
        }
        if count >= 3 { for c in ends.prefix(count) { frames[c] = nil } }
      }
    }
    extendRuns(&frames, &closer, rate)
    look = closer
  }

  /// Continues runs into frames without a partner as far as they fit.
  func extendRuns(_ frames: inout [Int?], _ closer: inout CloserLook, _ rate: Double) {
    let limit = max(5 * closer.usualDifference, 15)
    for order in [Array(0..<m), Array((0..<m).reversed())] {
      var i = 1
      while i < m {
        guard frames[order[i]] == nil, let from = frames[order[i - 1]] else {
          i += 1
          continue
        }
        let start = order[i - 1]
        var gain = closer.fade(of: start, from: from).gain
        var bad = 0, taken: [(Int, Int, Float)] = []
        while i < m, frames[order[i]] == nil {
          let c = order[i]
          let r = from + Int((rate * Double(c - start)).rounded())
          guard r >= 0, r < n else { break }
          let (difference, nextGain) = closer.fade(of: c, from: r)
          // A fade is gradual; what is black at once has been inserted.
          guard abs(nextGain - gain) < 0.15 else { break }
          gain = nextGain
          bad = difference > limit ? bad + 1 : 0
          guard bad < 2 else { break }
          taken.append((c, r, difference))
          i += 1
        }
        while let last = taken.last, last.2 > limit { taken.removeLast() }
        if taken.count >= 1 {
          for (c, r, difference) in taken {
            frames[c] = r
            closer.set(c, difference)
          }
        }
        while i < m, frames[order[i]] == nil { i += 1 }
      }
    }
  }

  /// Frames before the first one of the reference, and after its last one, resemble those: only one of them is the frame itself.
  func releaseEdges(_ frames: inout [Int?], _ rate: Double) {
    let most = max(1, Int((1 / rate).rounded(.up)))
    for c in 0..<m where frames[c] == 0 {
      // The last ones before the reference goes on.
      if (1...most).allSatisfy({ c + $0 < m && frames[c + $0] == 0 }) { frames[c] = nil }
    }
    for c in (0..<m).reversed() where frames[c] == n - 1 {
      if (1...most).allSatisfy({ c >= $0 && frames[c - $0] == n - 1 }) { frames[c] = nil }
    }
  }

  /// Candidate frames whose partners follow one another.
  func runs(_ frames: [Int?], _ rate: Double) -> [[Int]] {
    var runs: [[Int]] = []
    for c in 0..<m {
      guard let r = frames[c] else { continue }
      if let last = runs.last?.last, let before = frames[last], c - last <= 3,
        abs(Double(r - before) - rate * Double(c - last)) <= 6
      {
        runs[runs.count - 1].append(c)
      } else {
        runs.append([c])
      }
    }
    return runs
  }
}
