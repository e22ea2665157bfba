/// How many clips of a movie are open at once.
package enum OpenClips {
  /// Clips that stay open though nothing is read of them at the moment, so that what is wanted soon is seen soon.
  package static let maxIdle = 3
}
