import Glibc

/// The place where VMAF is computed: libvmaf, if it can be loaded, or an `ffmpeg` with its filter.
public enum VMAFEngine: Sendable {
  case library(VMAFLibrary)
  /// The path of an `ffmpeg`.
  case program(String)

  /// Finds an engine.
  ///
  /// Runs programs and waits for them, for some seconds at most. Throws `VMAFError.notFound`, or `VMAFError.unusable` if the
  /// program that was named is of no use.
  ///
  /// - Parameter program: an `ffmpeg` that is used even if there is a library.
  public static func find(program: String? = nil) throws(VMAFError) -> VMAFEngine {
    if let program {
      try check(program: program)
      return .program(program)
    }
    if let library = VMAFLibrary.find() { return .library(library) }
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
    for folder in path.split(separator: ":") {
      let candidate = "\(folder)/ffmpeg"
      if access(candidate, X_OK) == 0, (try? check(program: candidate)) != nil { return .program(candidate) }
    }
    throw .notFound
  }

  /// Throws unless a program can be run and has the filter.
  private static func check(program: String) throws(VMAFError) {
    let output = try StreamPump.output(of: program, ["-hide_banner", "-nostdin", "-filters"])
    guard output.split(separator: "\n").contains(where: { $0.split(separator: " ").dropFirst().first == "libvmaf" }) else {
      throw .unusable(program: program, reason: "this ffmpeg has no libvmaf filter")
    }
  }

  /// Begins to measure a run of frames.
  ///
  /// - Parameters:
  ///   - threads: how many of them compute, at least 1.
  ///   - isCancelled: asked several times a second while something is waited for, and before each frame.
  public func measurement(
    of form: MetricForm, options: VMAFOptions = VMAFOptions(), isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(VMAFError) -> any VMAFMeasurement {
    guard [8, 10, 12, 16].contains(form.depth) else { throw .unsupportedDepth(form.depth) }
    guard options.hasValidModel else { throw .invalidModel }
    switch self {
    case .library(let library):
      return try LibraryMeasurement(library, form: form, options: options, isCancelled: isCancelled)
    case .program(let path):
      return try ProgramMeasurement(path, form: form, options: options, isCancelled: isCancelled)
    }
  }
}

/// The model by which VMAF is computed, and how many threads compute it.
public struct VMAFOptions: Hashable, Sendable {
  /// A model that is built into libvmaf, such as `vmaf_v0.6.1`.
  public var model = "vmaf_v0.6.1"
  /// The number of threads, at least 1.
  public var threads = 1

  public init() {}

  /// The name becomes part of a filter's text, in which other characters have a meaning.
  var hasValidModel: Bool {
    !model.isEmpty
      && model.unicodeScalars.allSatisfy { scalar in
        let ranges: [ClosedRange<Unicode.Scalar>] = ["a"..."z", "A"..."Z", "0"..."9"]
        return ranges.contains { $0.contains(scalar) } || scalar == "." || scalar == "_"
      }
  }
}

/// VMAF of one run of frames, each of which follows the one before in both clips.
///
/// A frame's score depends on the motion between references, so frames must neither be left out nor come out of order. Used by
/// one thread at a time. Freed before `finish`, it stops and gives nothing.
public protocol VMAFMeasurement: AnyObject {
  /// Adds a pair. Waits until its samples are taken.
  func add(reference: MetricFrame, candidate: MetricFrame) throws

  /// Returns the scores of all pairs, in their order. Waits for them.
  func finish() throws -> [Double]
}
