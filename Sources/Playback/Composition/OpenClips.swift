/// The number of a movie's clips that are open at the same time.
package enum OpenClips {
  /// Clips that stay open though nothing is read of them at the moment, so that what is wanted soon is seen soon.
  package static let maxIdle = 3
}
