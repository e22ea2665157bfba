import Pixels
import Playback

/// Overlays.
extension MovieComposing {
  mutating func addOverlays() {
    let end = composition.duration
    for (number, overlay) in document.overlays.enumerated() {
      let name = "overlay \(number + 1): " + (overlay.path.map { "\($0): " } ?? "")
      guard overlay.start < end else {
        note(overlay.line.number(of: "at"), name + "starts after the end of the movie")
        continue
      }
      if let path = overlay.path { noteMoved(path, overlay.line.number(of: "clip", "image"), "overlay \(number + 1)") }
      do {
        composition.videoComposition.overlays.append(try self.overlay(overlay, end: end, number: number + 1))
      } catch {
        let failure = PlaybackError(ofAny: error)
        let line = line(overlay.line, of: failure)
        note(line, name + failure.message)
        composition.missingOverlays.append(.init(
            name: overlay.path ?? "text", reason: failure.message,
            timeRange: TimeRange(start: overlay.start, duration: overlay.statedLength ?? end - overlay.start),
            line: FileLine(file: movie, number: line)))
      }
    }
  }

  private mutating func overlay(_ overlay: MovieOverlay, end: MediaTime, number: Int) throws -> CompositionOverlay {
    let (content, length, size) = try content(of: overlay, left: end - overlay.start, number: number)
    var made = CompositionOverlay(
      content, timeRange: TimeRange(start: overlay.start, duration: length),
      region: overlay.place.region(size) { frameSize() }, opacity: overlay.opacity, fadeIn: overlay.fadeIn,
      fadeOut: overlay.fadeOut)
    overlay.sound.set(from: overlay.start, length: length, in: &made.volume)
    made.line = FileLine(file: movie, number: overlay.line.number(of: "clip", "image"))
    return made
  }

  /// The content of an overlay, its duration and its size; text has no size.
  ///
  /// - Parameters:
  ///   - left: the rest of the movie.
  ///   - number: the overlay's number, from 1.
  private mutating func content(
    of overlay: MovieOverlay, left: MediaTime, number: Int
  ) throws -> (CompositionOverlay.Content, length: MediaTime, size: PixelSize?) {
    switch overlay.content {
    case .text(let text, let length):
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { SubtitleLine([SubtitleSpan(String($0))]) }
      return (.text(lines, overlay.place.placement), min(length ?? left, left), nil)
    case .image(let name, let length):
      let path = path(of: name)
      try checkFile(path)
      return (.image(clips.asset(path)), min(length ?? left, left), try clips.track(of: path, nil).presentationSize)
    case .clip(let clip):
      let path = path(of: clip.path)
      try checkFile(path)
      let size = try clips.track(of: path, nil).presentationSize
      let shown = try shown(of: clip, overlay.foreign, track: nil)
      noteEnds(of: clip, shown, overlay.line, "overlay \(number)")
      let length = min(shown.length, left)
      var (asset, range) = (shown.asset, shown.range)
      if !range.isEmpty {
        if shown.isReversed || shown.lead > .zero || shown.length != range.duration {
          // A retimed clip becomes a nested composition.
          var inner = Composition()
          try inner.insert(shown, at: .zero, track: 0)
          (asset, range) = (Asset(composition: inner, path: clip.path), .zero)
        }
        range = TimeRange(start: range.start, duration: length)
      }
      return (.clip(CompositionClip(asset: asset, timeRange: range)), length, size)
    }
  }

  /// The size of the movie's frames, if known before loading.
  private mutating func frameSize() -> PixelSize? {
    if let size = document.output.size { return size }
    for piece in document.pieces {
      guard case .clip(let clip) = piece.content else { continue }
      let path = path(of: clip.path)
      if let track = try? clips.track(of: path, piece.videoTrack.map({ try clips.videoTrack($0, of: path) })) {
        return track.presentationSize
      }
    }
    return nil
  }
}

extension MovieOverlay {
  /// The path of the file shown; nil for text.
  fileprivate var path: String? {
    switch content {
    case .text: nil
    case .image(let path, _): path
    case .clip(let clip): clip.path
    }
  }
}

extension OverlayPlace {
  /// The region of the frame for an image of the given size; larger images are shrunk to fit.
  ///
  /// - Parameter frame: the frame size; only evaluated if needed.
  fileprivate func region(_ size: PixelSize?, in frame: () -> PixelSize?) -> FrameRegion {
    switch self {
    case .named(.full): return .whole
    case .rectangle(let x, let y, let width, let height): return FrameRegion(x: x, y: y, width: width, height: height)
    case .named(let name):
      guard let size, let frame = frame(), !size.isEmpty, !frame.isEmpty else { return .whole }
      let shrink = max(1, Double(size.width) / Double(frame.width), Double(size.height) / Double(frame.height))
      let width = Double(size.width) / Double(frame.width) / shrink
      let height = Double(size.height) / Double(frame.height) / shrink
      let (across, down) = name.sides
      return FrameRegion(x: (1 - width) * across, y: (1 - height) * down, width: width, height: height)
    }
  }

  /// The placement of a text.
  fileprivate var placement: SubtitlePlacement {
    var placement = SubtitlePlacement()
    switch self {
    case .named(let name):
      let (across, down) = name.sides
      placement.horizontal = across == 0 ? .left : across == 1 ? .right : .center
      placement.vertical = down == 0 ? .top : down == 1 ? .bottom : .middle
    case .rectangle(let x, let y, let width, _):
      placement.x = x + width / 2
      placement.maxWidth = min(1, max(0.01, width))
      placement.vertical = .top
      placement.height = .fraction(y)
    }
    return placement
  }
}

extension OverlayPlace.Name {
  /// The horizontal and vertical position: 0, 0.5 or 1.
  fileprivate var sides: (across: Double, down: Double) {
    switch self {
    case .full, .center: (0.5, 0.5)
    case .top: (0.5, 0)
    case .bottom: (0.5, 1)
    case .left: (0, 0.5)
    case .right: (1, 0.5)
    case .topLeft: (0, 0)
    case .topRight: (1, 0)
    case .bottomLeft: (0, 1)
    case .bottomRight: (1, 1)
    }
  }
}
