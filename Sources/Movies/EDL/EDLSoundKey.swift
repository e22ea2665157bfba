/// The properties that a sound event and a video event share if they use the same part of a clip at the same time.
struct EDLSoundKey: Hashable {
  private let reel: String
  private let names: [String?]
  private let kind: EDLEvent.Kind
  private let transitionFrames: Int64
  private let points: [EDLEvent.Point]
  private let speeds: [String]

  init(_ event: EDLEvent) {
    reel = event.reel
    // Of reels without a name, the names tell the clips apart.
    names = event.reel == "AX" ? [event.fromFile ?? event.fromName, event.toFile ?? event.toName] : []
    (kind, transitionFrames) = (event.kind, event.transitionFrames)
    points = [event.sourceIn, event.sourceOut, event.recordIn, event.recordOut]
    speeds = event.speeds.map(\.text)
  }
}
