import CFFmpeg
import CPixelLoops
import Pixels

/// Converts frames to a form in which they can be compared.
struct ComparisonFrames {
  private var contexts = SwsContexts(capacity: 6)
  private let clip = Memory()
  private let reference = Memory()
  private let turned = Memory()
  private let deep = Memory()

  /// A frame whose memory is used again if the next one has the same format and size.
  private final class Memory {
    private var frame: DecodedFrame?

    func reserve(_ format: AVPixelFormat, _ size: PixelSize) throws -> UnsafeMutablePointer<AVFrame> {
      if let frame, frame.size == size, frame.pointer.pointee.format == format.rawValue { return frame.pointer }
      let new = try DecodedFrame()
      new.pointer.pointee.width = Int32(size.width)
      new.pointer.pointee.height = Int32(size.height)
      new.pointer.pointee.format = format.rawValue
      try AVError.check(av_frame_get_buffer(new.pointer, 0), "comparing the frames")
      frame = new
      return new.pointer
    }
  }

  /// Returns both frames' planes as a plan wants them. They are valid until the next call, as long as both frames exist.
  ///
  /// - Throws: `AVError`.
  mutating func planes(
    of a: FramePixels, and b: FramePixels, _ plan: ComparisonPlan, turning: Orientation
  ) throws -> (SamplePlanes, SamplePlanes) {
    guard let target = plan.target else {
      return try (Self.planes(a.withFrame { $0 }, a.form), Self.planes(b.withFrame { $0 }, b.form))
    }
    let isRecoded = !plan.conversions.isDisjoint(with: [.matrix, .range])
    let first = try frame(a, as: target, a.size, isRecoded: isRecoded, clip)
    let unturned = turning.swapsSides ? PixelSize(width: a.size.height, height: a.size.width) : a.size
    var second = try frame(b, as: target, unturned, isRecoded: isRecoded, reference)
    if turning != .upright { second = try turn(second, turning, target, a.size) }
    return try (Self.planes(first, target), Self.planes(second, target))
  }

  private static func planes(_ frame: UnsafeMutablePointer<AVFrame>, _ form: SampleForm) throws -> SamplePlanes {
    guard let layout = SampleLayout(form.format) else {
      throw AVError(code: qd_averror_invaliddata(), context: "comparing the frames")
    }
    return try SamplePlanes(frame, layout)
  }

  // MARK: - Converting

  private mutating func frame(
    _ pixels: FramePixels, as target: SampleForm, _ size: PixelSize, isRecoded: Bool, _ memory: Memory
  ) throws -> UnsafeMutablePointer<AVFrame> {
    try pixels.withFrame { frame in
      if pixels.form == target, pixels.size == size { return frame }
      let source = try ScalerSource(whole: frame)
      let output = try memory.reserve(target.format, size)
      if target.light == nil, let light = pixels.form.light {
        try toneMap(source, light, of: frame, into: output)
        return output
      }
      var form = pixels.form
      var target = target
      // Grey has no matrix.
      if form.family == .grey { form.matrix = target.matrix }
      if target.family == .grey { target.matrix = form.matrix }
      let changes = form.family == .yuv && target.family == .yuv && form.matrix != target.matrix
      let change = MatrixChange(from: form.matrix, to: target.matrix, isFullRange: target.isFullRange)
      // With the old matrix first.
      if changes { target.matrix = form.matrix }
      // Of a full range, libswscale makes 65535 of 255 if it only adds bits, but 65280 if it converts the range, as it must for the
      // other frame then.
      if isRecoded, form.family != .rgb, target.family != .rgb, form.isFullRange, target.isFullRange {
        (form.isFullRange, target.isFullRange) = (false, false)
      }
      let isDone = try pixels.size == size && Self.rearrange(frame, form, into: output, target)
      if !isDone { try run(source, form, into: output, target) }
      if changes { change.apply(to: try Self.planes(output, target)) }
      return output
    }
  }

  /// Copies the samples of a frame to planes without a loss, which libswscale does for some formats only; to more bits by shifting
  /// them.
  ///
  /// - Returns: false if it takes more than that.
  private static func rearrange(
    _ frame: UnsafeMutablePointer<AVFrame>, _ form: SampleForm, into output: UnsafeMutablePointer<AVFrame>, _ target: SampleForm
  ) throws -> Bool {
    guard form.family != .rgb, form.family == target.family, form.chromaShift == target.chromaShift, form.matrix == target.matrix,
      form.isFullRange == target.isFullRange, let layout = SampleLayout(form.format), let plain = SampleLayout(target.format),
      plain.isPlain, form.depth == target.depth || form.depth < target.depth && !form.isFullRange
    else { return false }
    let from = try SamplePlanes(frame, layout), to = try SamplePlanes(output, plain)
    let gather = layout.isWide ? qd_gather_16_to_16 : plain.isWide ? qd_gather_8_to_16 : qd_gather_8_to_8
    for (component, place) in zip(layout.components, plain.components) {
      guard let input = from.bytes[component.plane], let bytes = to.bytes[place.plane] else { return false }
      for y in 0..<samples(from.size.height, component.chromaShift.down) {
        let row = input + y * from.strides[component.plane] + component.offset * (layout.isWide ? 2 : 1)
        let spread = qd_spread_row(
          samples: row, step: component.step, right: Int32(layout.bits - form.depth), left: Int32(target.depth - form.depth))
        gather(
          spread, samples(from.size.width, component.chromaShift.across),
          UnsafeMutablePointer(mutating: bytes) + y * to.strides[place.plane])
      }
    }
    return true
  }

  private mutating func run(
    _ source: ScalerSource, _ form: SampleForm, into output: UnsafeMutablePointer<AVFrame>, _ target: SampleForm
  ) throws {
    let size = PixelSize(width: Int(output.pointee.width), height: Int(output.pointee.height))
    let context = try contexts.context(for: SwsOwner.Key(
      source: source.size, sourceFormat: form.format.rawValue, target: size, targetFormat: target.format.rawValue,
      matrix: source.matrix < 0 ? -1 : max(0, form.matrix), isFullRange: form.isFullRange,
      flags: SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP, targetMatrix: target.matrix,
      targetIsFullRange: target.isFullRange))
    var planes = source.planes
    var strides = source.strides
    let frame = output.pointee
    var outputs = [frame.data.0, frame.data.1, frame.data.2, frame.data.3]
    var outputStrides = [frame.linesize.0, frame.linesize.1, frame.linesize.2, frame.linesize.3]
    let done = sws_scale(context.pointer, &planes, &strides, 0, Int32(source.size.height), &outputs, &outputStrides)
    try AVError.check(done, "comparing the frames")
  }

  /// Tone-maps a frame to RGB of 8 bits, as `Scaler` does.
  private mutating func toneMap(
    _ source: ScalerSource, _ light: SampleForm.Light, of frame: UnsafeMutablePointer<AVFrame>,
    into output: UnsafeMutablePointer<AVFrame>
  ) throws {
    let size = PixelSize(width: Int(output.pointee.width), height: Int(output.pointee.height))
    let rgb = SampleForm(AV_PIX_FMT_RGB48LE)
    let between = try deep.reserve(rgb.format, size)
    try run(source, try SampleForm(frame), into: between, rgb)
    let mapper = toneMapper(ToneMapper.Settings(frame: frame, transfer: light.transfer))
    guard let input = between.pointee.data.0, let bytes = output.pointee.data.0 else { return }
    for y in 0..<size.height {
      let row = UnsafeMutableRawPointer(input + y * Int(between.pointee.linesize.0)).assumingMemoryBound(to: UInt16.self)
      mapper.map(row, count: size.width)
      qd_high_bytes(row, 3 * size.width, bytes + y * Int(output.pointee.linesize.0))
    }
  }

  private var mappers: [ToneMapper] = []

  /// Both frames can need one of their own.
  private mutating func toneMapper(_ settings: ToneMapper.Settings) -> ToneMapper {
    if let known = mappers.first(where: { $0.settings == settings }) { return known }
    let new = ToneMapper(settings)
    if mappers.count >= 2 { mappers.removeFirst() }
    mappers.append(new)
    return new
  }

  // MARK: - Turning

  private mutating func turn(
    _ frame: UnsafeMutablePointer<AVFrame>, _ orientation: Orientation, _ form: SampleForm, _ size: PixelSize
  ) throws -> UnsafeMutablePointer<AVFrame> {
    let output = try turned.reserve(form.format, size)
    try Self.planes(frame, form).turn(orientation, into: Self.planes(output, form))
    return output
  }

  private static func samples(_ pixels: Int, _ shift: Int) -> Int { (pixels + (1 << shift) - 1) >> shift }
}
