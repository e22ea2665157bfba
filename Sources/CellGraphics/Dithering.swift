/// The strength of dithering for colours that the terminal lacks.
public enum Dithering: String, CaseIterable, Sendable {
  /// No dithering: each pixel gets the nearest colour, so gradients show bands.
  case off
  /// Mixes near colours: little grain, and gradients are mostly kept.
  case low
  /// Keeps gradients, with some grain.
  case full

  /// The weight of a mixture's grain relative to the error of its mean, in bright colours.
  ///
  /// Measured on film, animation and computed images: viewed so that three pixels merge into one, the error is least from
  /// 0.06 to 0.15.
  var grainWeight: Float {
    switch self {
    case .off: .infinity
    case .low: 0.3
    case .full: 0.1
    }
  }
}
