import Testing

/// Runs with the timeline, in which frame n is shown at n tenths of a second.
extension PlayerRun {
  /// Two timelines side by side, each in the size that fits.
  static func pair(_ arguments: [String] = []) throws -> PlayerRun {
    let clip = try PlayerClips.timeline()
    let run = try PlayerRun(["--paused", "--layout", "row"] + arguments + [clip, clip], columns: 129)
    try run.waitUntilPaused(panes: 2)
    return run
  }

  /// Waits until the panes, one beside the other, show these frames, in words and in their squares.
  func waitForFrames(_ numbers: Int..., sourceLocation: SourceLocation = #_sourceLocation) throws {
    try wait("frames \(numbers)", sourceLocation: sourceLocation) { screen in
      numbersShown == numbers
        && numbers.indices.allSatisfy {
          screen.frameNumber(column: 65 * $0, row: 1, width: 64, height: 18) == numbers[$0]
        }
    }
  }
}
