import CFFmpeg
import Pixels

/// A decision how two frames become comparable.
struct ComparisonPlan: Equatable {
  /// The common form of both frames; nil if they are compared as decoded.
  var target: SampleForm?
  var conversions: ComparisonConversions = []

  /// - Parameters:
  ///   - reference: the form and size of the frame that is converted, if possible.
  ///   - turning: how the reference is turned for the comparison.
  init(
    clip: (form: SampleForm, size: PixelSize), reference: (form: SampleForm, size: PixelSize),
    turning: Orientation, planes: DifferenceRequest.Planes
  ) {
    let (a, b) = (clip.form, reference.form)
    let turnedSize = turning.swapsSides ? PixelSize(width: reference.size.height, height: reference.size.width) : reference.size
    if turnedSize != clip.size { conversions.insert(.scaled) }
    guard a.light == b.light else {
      conversions.insert(.toneMapped)
      target = SampleForm(AV_PIX_FMT_RGB24)
      return
    }
    // Brightness is the same with any colours.
    let needsColors = planes == .all || (a.family == .rgb) != (b.family == .rgb)
    if a.comparedDepth != b.comparedDepth || needsColors && (a.family != b.family || a.chromaShift != b.chromaShift) {
      conversions.insert(.format)
    }
    if a.family == .yuv, b.family == .yuv, a.matrix != b.matrix { conversions.insert(.matrix) }
    if a.family != .rgb, b.family != .rgb, a.isFullRange != b.isFullRange { conversions.insert(.range) }
    if conversions.isEmpty, turning == .upright, let layout = SampleLayout(a.format), let other = SampleLayout(b.format),
      needsColors ? layout == other : layout.brightness == other.brightness {
      return
    }
    // More bits than both have, so that rounding adds nothing.
    let isRecoded = !conversions.isDisjoint(with: [.matrix, .range])
    var shift = a.chromaShift
    if turning.swapsSides, shift.across != shift.down {
      shift = SampleForm.ChromaShift()
      if planes == .all { conversions.insert(.format) }
    }
    var format = SampleForm.plainFormat(a.family, depth: isRecoded ? 16 : max(a.comparedDepth, b.comparedDepth), shift)
    // Unusual chroma has no format of so many.
    if isRecoded, SampleForm(format).depth < 16 { format = SampleForm.plainFormat(a.family, depth: 16, SampleForm.ChromaShift()) }
    target = SampleForm(format, matrix: a.matrix, isFullRange: a.isFullRange, light: a.light)
  }
}
