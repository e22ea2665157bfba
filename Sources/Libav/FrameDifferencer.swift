import CFFmpeg
import CPixelLoops
import Pixels

/// Makes images of the differences of two frames.
///
/// Differences are taken at the frames' own depth and resolution, and then reduced to the pixels of the image; if these are
/// smaller than the frame's, each shows the nearest one. Y′CbCr frames with the same pixel format, matrix and range are compared
/// by their coded values, RGB frames by R, G and B. Otherwise the reference is first converted to the clip's form and size. If
/// only one of the frames has a high dynamic range, or they have different ones, both are tone-mapped as by `Scaler`.
/// Interlaced frames are compared with both fields.
///
/// Not thread-safe.
public final class FrameDifferencer {
  private var frames = ComparisonFrames()
  private var clipBrightness = AlignedBuffer()
  private var referenceBrightness = AlignedBuffer()
  private var folded = AlignedBuffer()

  public init() {}

  /// Returns an image of a clip's frame minus a reference frame.
  ///
  /// - Throws: `AVError` if the request has no pixels or too many, libswscale does not know a format, or memory runs out.
  public func difference(
    of clip: FramePixels, from reference: FramePixels, _ request: DifferenceRequest
  ) throws -> FrameDifference {
    guard !request.size.isEmpty, request.size.width <= Demuxer.maximumSide, request.size.height <= Demuxer.maximumSide else {
      throw AVError(code: qd_averror(EINVAL), context: "comparing the frames")
    }
    let turning = request.referenceOrientation.relative(to: request.orientation)
    let plan = ComparisonPlan(
      clip: (clip.form, clip.size), reference: (reference.form, reference.size), turning: turning, planes: request.planes)
    let image = try withExtendedLifetime((clip, reference)) {
      var (a, b) = try frames.planes(of: clip, and: reference, plan, turning: turning)
      if request.planes == .luma {
        let isRGB = (plan.target ?? clip.form).family == .rgb
        a = try isRGB ? Self.brightness(of: a, &clipBrightness) : a.brightness
        b = try isRGB ? Self.brightness(of: b, &referenceBrightness) : b.brightness
      }
      return try draw(a, b, isRGB: (plan.target ?? clip.form).family == .rgb, request)
    }
    return FrameDifference(image: image, conversions: plan.conversions)
  }

  /// Computes the brightness of RGB planes.
  private static func brightness(of planes: SamplePlanes, _ memory: inout AlignedBuffer) throws -> SamplePlanes {
    let size = planes.size
    let stride = try memory.reserve(rowBytes: 2 * size.width, rows: size.height)
    let base = memory.base
    let compute = planes.layout.isWide ? qd_luma_16 : qd_luma_8
    let sampleBytes = planes.layout.isWide ? 2 : 1
    for y in 0..<size.height {
      let rows = planes.layout.components.map { component in
        planes.bytes[component.plane].map { $0 + y * planes.strides[component.plane] + component.offset * sampleBytes }
      }
      let row = qd_rgb_row(
        red: rows[0], green: rows[1], blue: rows[2], step: planes.layout.components[0].step, bits: Int32(planes.layout.bits))
      compute(row, size.width, UnsafeMutableRawPointer(base + y * stride).assumingMemoryBound(to: UInt16.self))
    }
    return SamplePlanes(grey: base, stride: stride, size: size, bits: 16)
  }

  // MARK: - Differences

  private func draw(_ a: SamplePlanes, _ b: SamplePlanes, isRGB: Bool, _ request: DifferenceRequest) throws -> PixelImage {
    let size = request.sizeBeforeTurning
    let region = request.orientation.sourceRegion(of: request.region)
    let planes = ComparedPlane.all(
      of: a.layout,
      across: SampleBlocks(start: region.x, length: region.width, samples: a.size.width, parts: size.width),
      down: SampleBlocks(start: region.y, length: region.height, samples: a.size.height, parts: size.height))
    _ = try folded.reserve(rowBytes: planes.map { qd_fold_size($0.samples.count) }.max() ?? 0, rows: 1)
    let memory = UnsafeMutableRawPointer(folded.base)
    let style = DifferenceStyle(request, isRGB: isRGB && a.layout.components.count == 3)
    var values = a.layout.components.map { _ in [Float](repeating: 0, count: size.width) }
    /// Writes the rows of the unturned image.
    func write(to bytes: UnsafeMutablePointer<UInt8>) {
      for y in 0..<size.height {
        for plane in planes { plane.reduce(a, b, row: y, style.measure, memory, into: &values) }
        style.write(&values, to: bytes + 3 * size.width * y)
      }
    }
    guard request.orientation != .upright else {
      return PixelImage(size: size) { out in out.baseAddress.map(write) }
    }
    var unturned = [UInt8](repeating: 0, count: 3 * size.area)
    return PixelImage(size: request.size) { out in
      unturned.withUnsafeMutableBufferPointer { bytes in
        guard let from = bytes.baseAddress, let to = out.baseAddress else { return }
        write(to: from)
        let turn = Turn(request.orientation, displayed: request.size, element: 3, stride: 3 * size.width)
        qd_turn(
          from + turn.origin, turn.across, turn.down, 3, to, 3 * request.size.width, request.size.width, request.size.height)
      }
    }
  }
}
