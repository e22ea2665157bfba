/// The number of a movie's clips that are open at the same time.
package enum OpenClips {
  /// The maximum number of idle clips kept open, so that media needed soon appears quickly.
  package static let maxIdle = 3
}
