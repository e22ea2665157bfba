extension SoundEngine {
  /// The outputs of a system, in the order in which they are tried.
  package static let systemOutputs: [OutputMaker] = [{ PulseOutput() }, { ALSAOutput() }]
}
