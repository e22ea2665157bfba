/// The order of the panes, which may differ from that of the clips as given.
extension PlayOptions {
  /// Shuffles the panes; what is given for a clip stays with it.
  public mutating func shufflePanes(using random: inout some RandomNumberGenerator) {
    evaluation.paneOrder = clips.indices.shuffled(using: &random)
    let order = clipOrder
    for index in beginning.offsets.indices {
      let clip = beginning.offsets[index].pane - 1
      if let pane = order.firstIndex(of: clip) { beginning.offsets[index].pane = pane + 1 }
    }
  }

  /// The index of each pane's clip, as given.
  var clipOrder: [Int] { evaluation.paneOrder ?? Array(clips.indices) }
}
