import CVMAF

/// libvmaf, loaded at run time.
public final class VMAFLibrary: Sendable {
  /// The functions are those of a library that stays loaded, and may be called by any thread.
  let functions: qd_vmaf_functions

  /// The version of the library.
  public var version: String { String(cString: functions.version()) }

  private init(_ functions: qd_vmaf_functions) { self.functions = functions }

  /// Loads the library; nil if there is none.
  ///
  /// - Parameter path: the library's file. Without one, it is looked for where the system has its libraries.
  public static func find(path: String? = nil) -> VMAFLibrary? {
    for name in path.map({ [$0] }) ?? ["libvmaf.so.3", "libvmaf.so.1", "libvmaf.so"] {
      let functions = withUnsafeTemporaryAllocation(of: qd_vmaf_functions.self, capacity: 1) { buffer in
        buffer.baseAddress.flatMap { qd_vmaf_load(name, $0) != 0 ? $0.pointee : nil }
      }
      if let functions { return VMAFLibrary(functions) }
    }
    return nil
  }
}

/// VMAF computed by the library.
final class LibraryMeasurement: VMAFMeasurement {
  private let library: VMAFLibrary
  private let form: MetricForm
  private let isCancelled: @Sendable () -> Bool
  private let context, model: OpaquePointer
  private var count = 0

  init(
    _ library: VMAFLibrary, form: MetricForm, options: VMAFOptions, isCancelled: @escaping @Sendable () -> Bool
  ) throws(VMAFError) {
    let functions = library.functions
    var model: OpaquePointer?, context: OpaquePointer?
    var modelConfiguration = qd_vmaf_model_configuration(name: nil, flags: 0)
    let loaded = functions.model_load(&model, &modelConfiguration, options.model)
    guard loaded == 0, let model else { throw .libraryFailed(call: "loading the model \(options.model)", code: Int(loaded)) }
    let configuration = qd_vmaf_configuration(
      log_level: 0, threads: UInt32(clamping: max(1, options.threads)), subsample: 1, cpu_mask: 0, gpu_mask: 0)
    let made = functions.`init`(&context, configuration)
    guard made == 0, let context else {
      functions.model_destroy(model)
      throw .libraryFailed(call: "starting", code: Int(made))
    }
    let used = functions.use_features_from_model(context, model)
    guard used == 0 else {
      _ = functions.close(context)
      functions.model_destroy(model)
      throw .libraryFailed(call: "using the model \(options.model)", code: Int(used))
    }
    (self.library, self.form, self.isCancelled) = (library, form, isCancelled)
    (self.context, self.model) = (context, model)
  }

  deinit {
    _ = library.functions.close(context)
    library.functions.model_destroy(model)
  }

  func add(reference: MetricFrame, candidate: MetricFrame) throws {
    try form.check(reference, candidate)
    if isCancelled() { throw VMAFError.cancelled }
    var ours = try picture(reference)
    var theirs: qd_vmaf_picture
    do {
      theirs = try picture(candidate)
    } catch {
      _ = library.functions.picture_unref(&ours)
      throw error
    }
    try check("reading frame \(count)", library.functions.read_pictures(context, &ours, &theirs, UInt32(count)))
    count += 1
  }

  func finish() throws -> [Double] {
    guard count > 0 else { return [] }
    try check("reading the last frame", library.functions.read_pictures(context, nil, nil, 0))
    return try (0..<count).map { i in
      if isCancelled() { throw VMAFError.cancelled }
      var score = 0.0
      try check("scoring frame \(i)", library.functions.score_at_index(context, model, &score, UInt32(i)))
      return score
    }
  }

  /// A picture with the luma of a frame and grey chroma, of which VMAF sees nothing.
  private func picture(_ frame: MetricFrame) throws(VMAFError) -> qd_vmaf_picture {
    var picture = qd_vmaf_picture()
    let luma = form.luma
    try check(
      "allocating a frame",
      library.functions.picture_alloc(
        &picture, Int32(qd_vmaf_420), UInt32(form.depth), UInt32(luma.width), UInt32(luma.height)))
    let strides = [picture.stride.0, picture.stride.1, picture.stride.2]
    let heights = [picture.height.0, picture.height.1, picture.height.2].map(Int.init)
    let memory = [picture.data.0, picture.data.1, picture.data.2]
    let source = frame.planes[0]
    for y in 0..<luma.height {
      (memory[0]! + y * strides[0]).copyMemory(
        from: source.bytes + y * source.stride, byteCount: luma.width * form.bytesPerSample)
    }
    for plane in 1..<3 {
      let bytes = UnsafeMutableRawBufferPointer(start: memory[plane], count: strides[plane] * heights[plane])
      ChromaFill.grey(depth: form.depth, bytes)
    }
    return picture
  }

  private func check(_ call: String, _ code: Int32) throws(VMAFError) {
    guard code == 0 else { throw .libraryFailed(call: call, code: Int(code)) }
  }
}

/// Chroma without colour.
enum ChromaFill {
  static func grey(depth: Int, _ bytes: UnsafeMutableRawBufferPointer) {
    let middle = UInt16(1) << (depth - 1)
    for i in bytes.indices { bytes[i] = depth > 8 && i & 1 == 1 ? UInt8(middle >> 8) : UInt8(truncatingIfNeeded: middle) }
  }
}
