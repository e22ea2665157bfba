import Movies
import Playback

/// A storyboard for tests: two scenes, a right, a wrong and a lost way, rules, chance and variables.
enum Lighthouse {
  static let text = """
    quadrille: storyboard 1
    title: The Lighthouse
    seed: 7
    variables:
      lamps: 0
      brave: false
    scenes:
      - scene: Shore
        tracks:
          - prologue: arrival
            clip: shore.mkv
            in: 0:02
            out: 0:12
            show: 0:04
            hide: 0:07
            decide: 0:08
            events:
              gull: [0:01, 0:08]
            choices:
              - label: Climb the stairs
                is: right
                score: 10
                do: [lamps += 1, brave = true]
              - Swim: drowned
              - label: Ask the gull
                to: gull
                if: not visited(gull)
            otherwise: drowned
          - winning: stairs
            clip: stairs.mkv
            length: 5
          - intermediate: gull
            clip: gull.mkv
            length: 3
            rules:
              - if: lamps > 5
                to: end
          - losing: drowned
            clip: sea.mkv
            length: 2.5
          - epilogue: door
            movie: door.yaml
            length: 1001/30000
      - scene: Tower
        tracks:
          - track: lamp
            clip: lamp.mkv
            length: 4
            choices:
              - Light it: end
              - Look down: Shore/drowned
    """

  static func storyboard() throws -> Storyboard { try StoryboardFile(text: text, name: "lighthouse.yaml").storyboard }
}

/// Seconds as a time.
func at(_ seconds: Double) -> MediaTime { MediaTime(seconds: seconds, preferredTimescale: 1000) }

extension StoryboardEffect {
  /// In short, for comparisons.
  func text(_ storyboard: Storyboard) -> String {
    switch self {
    case .event(let event): "\(event.kind)@\(event.trackTime.seconds)"
    case .showControls(let controls):
      "controls \(controls.choices.map { "\($0.number)" }.joined(separator: ",")) left \(controls.timeLeft.seconds)"
    case .hideControls: "no controls"
    case .chosen(let number): "chosen \(number ?? 0)"
    case .decided(let decision): "decided \(decision.choice ?? 0)"
    case .go(let departure):
      "\(departure.manner) \(storyboard[departure.to].name)@\(departure.start.seconds)"
        + (departure.remaining == .zero ? "" : " left \(departure.remaining.seconds)")
    case .likely(let tracks): "likely \(tracks.map { storyboard[$0].name }.joined(separator: ","))"
    case .trouble(let text): "trouble \(text)"
    case .ended: "ended"
    }
  }

  /// The event that it tells; nil for another effect.
  var event: SceneTimeline.Event? { if case .event(let event) = self { event } else { nil } }
}
