extension Asset {
  /// Returns an asset for a file or, if there is no file of that name, for the image sequence that the name stands for.
  ///
  /// May list a folder, which may block. If that fails, so does loading the asset.
  ///
  /// - Parameters:
  ///   - name: as `ImageSequence.find` expects it.
  ///   - frameRate: that of a sequence.
  public static func named(
    _ name: String, frameRate: Ratio = ImageSequence.defaultFrameRate, options: Options = Options()
  ) -> Asset {
    do {
      let sequence = try ImageSequence.named(name, frameRate: frameRate)
      return sequence.map { Asset(sequence: $0, options: options) } ?? Asset(path: name, options: options)
    } catch {
      return Asset(path: name, options: options) { throw error }
    }
  }
}
