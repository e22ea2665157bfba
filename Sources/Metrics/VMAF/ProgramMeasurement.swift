/// VMAF computed by an `ffmpeg`, which is fed both clips as YUV4MPEG2.
final class ProgramMeasurement: VMAFMeasurement {
  private let program: String
  private let form: MetricForm
  private let collector = Collector()
  private let process: ToolProcess
  private let pump: StreamPump
  private var count = 0

  private enum Channel: Int, CaseIterable {
    case candidate, reference, scores, errors
  }

  /// The output of the program.
  private final class Collector {
    var log = ScoreLog()
    /// The end of its error messages.
    var text: [UInt8] = []

    func takeText(_ bytes: [UInt8]) {
      text += bytes
      if text.count > 4000 { text.removeFirst(text.count - 2000) }
    }
  }

  init(
    _ program: String, form: MetricForm, options: VMAFOptions, patience: Duration = .seconds(60),
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(VMAFError) {
    (self.program, self.form) = (program, form)
    // The distorted frames come first.
    let filter =
      "[0:v][1:v]libvmaf=model=version=\(options.model):n_threads=\(max(1, options.threads)):log_fmt=csv:log_path=/dev/fd/5"
    process = try ToolProcess(
      program,
      ["-nostdin", "-hide_banner", "-nostats", "-loglevel", "error", "-filter_complex_threads", "1"]
        + ["-f", "yuv4mpegpipe", "-i", "pipe:3", "-f", "yuv4mpegpipe", "-i", "pipe:4"]
        + ["-lavfi", filter, "-f", "null", "-"],
      streams: [
        .init(direction: .input, descriptor: 3), .init(direction: .input, descriptor: 4),
        .init(direction: .output, descriptor: 5), .init(direction: .output, descriptor: 2),
      ])
    pump = StreamPump(
      process, program: program, patience: patience, isCancelled: isCancelled,
      readers: [
        Channel.scores.rawValue: { [collector] in collector.log.take($0) },
        Channel.errors.rawValue: { [collector] in collector.takeText($0) },
      ])
  }

  func add(reference: MetricFrame, candidate: MetricFrame) throws {
    try form.check(reference, candidate)
    try pump.send([
      Channel.candidate.rawValue: bytes(candidate.planes[0]), Channel.reference.rawValue: bytes(reference.planes[0]),
    ])
    count += 1
    if pump.isRefused { try fail() }
  }

  func finish() throws -> [Double] {
    process.end(stream: Channel.candidate.rawValue)
    process.end(stream: Channel.reference.rawValue)
    let status = try pump.status()
    guard count > 0 else { return [] }
    guard status == 0 else { throw VMAFError.programFailed(program: program, text: text) }
    let scores = collector.log.scores
    guard scores.count == count else { throw VMAFError.wrongCount(scores: scores.count, frames: count) }
    return scores
  }

  private func fail() throws {
    process.end(stream: Channel.candidate.rawValue)
    process.end(stream: Channel.reference.rawValue)
    _ = try pump.status()
    throw VMAFError.programFailed(program: program, text: text)
  }

  /// The last line of the program's errors.
  private var text: String {
    String(decoding: collector.text, as: UTF8.self).split(whereSeparator: \.isNewline).last.map { String($0.suffix(300)) } ?? ""
  }

  /// A frame with the luma of a plane and grey chroma, of which VMAF sees nothing.
  private func bytes(_ luma: MetricPlane) -> [UInt8] {
    let sample = form.bytesPerSample, lumaBytes = luma.sampleCount * sample
    let chromaBytes = 2 * ((luma.width + 1) / 2) * ((luma.height + 1) / 2) * sample
    let depth = form.depth > 8 ? "p\(form.depth)" : "jpeg"
    let start = count == 0 ? "YUV4MPEG2 W\(luma.width) H\(luma.height) F25:1 Ip A1:1 C420\(depth)\nFRAME\n" : "FRAME\n"
    let header = Array(start.utf8), size = header.count + lumaBytes + chromaBytes
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      let memory = UnsafeMutableRawBufferPointer(buffer)
      memory.copyBytes(from: header)
      for y in 0..<luma.height {
        let row = UnsafeRawBufferPointer(start: luma.bytes + y * luma.stride, count: luma.width * sample)
        UnsafeMutableRawBufferPointer(rebasing: memory[(header.count + y * row.count)...]).copyMemory(from: row)
      }
      ChromaFill.grey(depth: form.depth, UnsafeMutableRawBufferPointer(rebasing: memory[(header.count + lumaBytes)...]))
      count = size
    }
  }
}
