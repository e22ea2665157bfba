import Playback

/// Transitions of a track.
enum OTIOTransition {
  /// Reads a Transition; nil for a cut or invalid times.
  static func read(_ item: JSONValue, remarks: inout Warnings) -> MovieTransition? {
    let name = item["name"]?.text ?? ""
    guard let before = OTIOTime.time(item["in_offset"]), let after = OTIOTime.time(item["out_offset"]), before >= .zero,
      after >= .zero, before + after > .zero
    else {
      remarks.add("transition \"\(name.prefix(100))\" has no duration; replaced by a cut")
      return nil
    }
    var transition = MovieTransition(kind(item, name, &remarks), length: before + after, cut: before)
    transition.foreign = item
    return transition
  }

  private static func kind(_ item: JSONValue, _ name: String, _ remarks: inout Warnings) -> MovieTransition.Kind {
    if let own = item["metadata"]?[OTIOSchema.ownMetadata]?["kind"]?.text,
      case .some(.some(let said)) = TransitionText.read(own, rate: nil)
    {
      return said.kind
    }
    let type = item["transition_type"]?.text ?? ""
    switch type {
    case "SMPTE_Dissolve": return .dissolve
    case "SMPTE_Wipe":
      let code = item["metadata"]?["cmx_3600"]?["transition"]?.text.flatMap(EDLWipe.code(ofText:))
      if let angle = code.flatMap(EDLWipe.angle) { return .wipe(angle: angle, softness: 0) }
      remarks.add("transition \"\(name.prefix(100))\" is shown as a wipe to the right")
      return .wipe(angle: 0, softness: 0)
    default:
      remarks.add("transition \"\(name.prefix(100))\" of type \"\(type.prefix(100))\" is shown as a dissolve")
      return .dissolve
    }
  }

  /// The kept Transition if it is still equivalent, else an updated one.
  static func json(_ transition: MovieTransition, rates: [Ratio]) -> JSONValue {
    let kept = transition.foreign ?? .object([])
    var item: JSONValue = [
      OTIOSchema.key: "Transition.1", "metadata": kept["metadata"] ?? [:], "name": "", "in_offset": .null, "out_offset": .null,
      "transition_type": "Custom_Transition",
    ]
    if OTIOSchema.name(kept) == "Transition" {
      var ignored = Warnings()
      let said = read(kept, remarks: &ignored)
      if said?.kind == transition.kind, said?.length == transition.length, said?.cut == transition.cut { return kept }
      item = kept
    }
    item["in_offset"] = OTIOTime.json(transition.cut, rates: rates, like: item["in_offset"])
    item["out_offset"] = OTIOTime.json(transition.length - transition.cut, rates: rates, like: item["out_offset"])
    var ignored = Warnings()
    if read(item, remarks: &ignored)?.kind == transition.kind, item["transition_type"] != "Custom_Transition" { return item }
    switch transition.kind {
    case .dissolve: item["transition_type"] = "SMPTE_Dissolve"
    case .wipe: item["transition_type"] = "SMPTE_Wipe"
    case .fade, .push: item["transition_type"] = "Custom_Transition"
    }
    let isPlain = transition.kind == .dissolve
    OTIOClip.set(
      "kind", isPlain ? nil : .string(TransitionText.text(MovieTransition(transition.kind, length: transition.length))), in: &item
    )
    return item
  }
}
