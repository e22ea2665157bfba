import Movies
import Pixels
import Playback

/// An evaluation that can be continued later: panes with their clips and positions, and how they are shown. A value.
public struct SessionDocument: Equatable, Sendable {
  /// A pane.
  struct Pane: Equatable, Sendable {
    /// A clip of the pane's list.
    struct Clip: Equatable, Sendable {
      /// Relative to the current folder, or absolute.
      var path: String
      /// The title given by the list; untrusted text.
      var title: String?
      /// Frames per second of an image sequence; nil for other clips.
      var imageRate: Ratio?
    }

    /// At least one, in playing order.
    var clips: [Clip]
    /// The files that list them.
    var lists: [String] = []
    /// Index of the current clip.
    var current = 0
    var repetition = ClipList.Repetition.off
    /// Time of the frame shown; nil for a storyboard, which starts anew.
    var time: MediaTime?
    var isPaused = false
    /// Offset from the first aligned pane; nil if it is not aligned.
    var offset: MediaTime?
    var gravity = Gravity.resizeAspect
    var magnification = Magnification()
    /// The plane and the fields shown.
    var look = FrameLook()
    /// nil if the clip is shown alone.
    var comparison: Comparison?
  }

  /// Two clips in a pane.
  struct Comparison: Equatable, Sendable {
    /// Index of the pane with the reference.
    var reference: Int
    var settings: CompareSettings
  }

  /// One to four panes.
  var panes: [Pane]
  /// Index of the focused pane.
  var focus = 0
  /// Index of the pane that others are compared with; nil for the first.
  var reference: Int?
  /// True if only the focused pane is shown.
  var isAlone = false
  /// True if titles and bars are shown.
  var showsChrome = true
  var layout = LayoutStyle.auto
  /// True if keys control all panes.
  var isLinked = true
  var speed = 1.0

  /// Sets the options that a run starts with.
  ///
  /// Reads the beginnings of files to determine their kinds, so it may block on disk access.
  public func apply(to options: inout PlayOptions) {
    options.evaluation.session = self
    options.clips = panes.map { pane in
      let clips = pane.clips.map { clip in
        ClipListReader(frameRate: clip.imageRate ?? ImageSequence.defaultFrameRate).clip(clip.path, title: clip.title)
      }
      var list = ClipList(clips, listedIn: pane.lists)
      list.go(to: pane.current)
      return list
    }
    options.beginning.starts = panes.map { .time($0.time ?? .zero) }
    options.beginning.offsets = panes.enumerated().compactMap { index, pane in
      pane.offset.map { PaneOffset(pane: index + 1, time: $0) }
    }
    options.beginning.speed = speed
    options.beginning.isPaused = panes.allSatisfy(\.isPaused)
    options.isLinked = isLinked
    options.view.layout = layout
    // Lists are in the order in which they were played.
    options.beginning.isShuffled = false
  }
}

extension PaneOffset {
  fileprivate init(pane: Int, time: MediaTime) { (self.pane, self.amount) = (pane, .time(time)) }
}
