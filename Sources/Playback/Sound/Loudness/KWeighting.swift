import Glibc

/// The filter through which loudness is measured: K-weighting of ITU-R BS.1770-4, annex 1, for one channel.
///
/// The recommendation gives coefficients for 48 kHz only. Those of other rates come from the same two analogue filters, whose
/// frequencies, gain and quality are derived from its coefficients in Mansbridge, Finn and Reiss, "Implementation and Evaluation of
/// Autonomous Multi-track Fader Control", AES convention 132, 2012.
struct KWeighting {
  /// A filter of second order, in transposed direct form II.
  private struct Section {
    let b0, b1, b2, a1, a2: Double
    var s1 = 0.0, s2 = 0.0

    mutating func apply(_ x: Double) -> Double {
      let y = b0 * x + s1
      s1 = b1 * x - a1 * y + s2
      s2 = b2 * x - a2 * y
      return y
    }

    /// Removes what is too quiet to be heard, with which processors calculate slowly.
    mutating func settle() {
      if abs(s1) < 1e-20 { s1 = 0 }
      if abs(s2) < 1e-20 { s2 = 0 }
    }
  }

  /// The effect of a head.
  private var shelf: Section
  private var highPass: Section

  init(sampleRate: Int) {
    func warped(_ frequency: Double) -> Double {
      // Rates below twice the frequency have no such sound.
      tan(.pi * min(frequency / Double(sampleRate), 0.49))
    }
    var (k, q) = (warped(1681.974450955533), 0.7071752369554196)
    let high = pow(10, 3.999843853973347 / 20), band = pow(high, 0.4996667741545416)
    var a0 = 1 + k / q + k * k
    shelf = Section(
      b0: (high + band * k / q + k * k) / a0, b1: 2 * (k * k - high) / a0, b2: (high - band * k / q + k * k) / a0,
      a1: 2 * (k * k - 1) / a0, a2: (1 - k / q + k * k) / a0)
    (k, q) = (warped(38.13547087602444), 0.5003270373238773)
    a0 = 1 + k / q + k * k
    highPass = Section(b0: 1, b1: -2, b2: 1, a1: 2 * (k * k - 1) / a0, a2: (1 - k / q + k * k) / a0)
  }

  mutating func apply(_ sample: Float) -> Double { highPass.apply(shelf.apply(Double(sample))) }

  mutating func settle() {
    shelf.settle()
    highPass.settle()
  }
}
