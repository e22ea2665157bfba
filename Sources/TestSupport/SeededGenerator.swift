import Playback

/// Numbers for random tests, the same in every run.
package typealias SeededGenerator = SplitMix64
