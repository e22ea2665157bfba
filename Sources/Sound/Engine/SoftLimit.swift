/// A curve that is straight up to its knee, and approaches full scale beyond it.
package enum SoftLimit {
  package static let knee: Float = 0.8

  /// Returns the value for one beyond the knee. Its slope is continuous.
  package static func apply(_ value: Float) -> Float {
    let excess = (abs(value) - knee) / (1 - knee)
    let bent = knee + (1 - knee) * excess / (1 + excess)
    return value < 0 ? -bent : bent
  }
}
