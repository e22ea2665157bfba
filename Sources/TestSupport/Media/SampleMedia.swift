import Foundation
import Pixels
import PlainText

/// Makes clips for tests with the `ffmpeg` command and keeps them in a temporary folder.
///
/// A clip is made once and found again by its command, also by test processes that run at the same time and
/// by later runs. A call waits until its clip is there.
public enum SampleMedia {
  /// The folder of the clips, of this user alone.
  public static let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("quadrille-test-clips-\(getuid())", isDirectory: true)

  /// The path of the clip that `ffmpeg arguments… name` makes.
  ///
  /// `name` is the file's name with the extension that tells ffmpeg the container; arguments that name other
  /// files must name them by their whole path. Throws `MediaTool.Failure` when it cannot be made.
  public static func clip(name: String, arguments: [String]) throws -> String {
    try file(name: name, key: arguments) { path in
      try MediaTool.run(
        "ffmpeg", ["-v", "error", "-nostdin", "-y", "-bitexact"] + arguments + ["file:" + path])
    }
  }

  /// A clip with so many chapters of a second each.
  public static func chapters(_ name: String, count: Int) throws -> String {
    let chapters = (0..<count).map { "[CHAPTER]\nTIMEBASE=1/1\nSTART=\($0)\nEND=\($0 + 1)\ntitle=\($0)\n" }
    let marks = ";FFMETADATA1\n" + chapters.joined()
    let list = try file(name: "chapters.txt", key: [marks]) { try Data(marks.utf8).write(to: URL(fileURLWithPath: $0)) }
    return try clip(
      name: name,
      arguments: [
        "-f", "lavfi", "-i", "color=s=32x32:r=5:d=\(count)", "-f", "ffmetadata", "-i", list, "-map", "0", "-map_chapters", "1",
      ])
  }

  /// The path of a file that `make` writes; `key` and `name` together say what is in it.
  public static func file(name: String, key: [String], make: (_ path: String) throws -> Void) throws -> String
  {
    let clip = folder.appendingPathComponent(digest([name, ffmpegVersion] + key), isDirectory: true)
    let path = clip.appendingPathComponent(name).path
    if FileManager.default.fileExists(atPath: path) { return path }
    try FileManager.default.createDirectory(
      at: clip, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    return try holding(clip.path + ".lock") {
      if FileManager.default.fileExists(atPath: path) { return path }
      // Written beside its place and moved, so nobody ever finds half a clip.
      let half = clip.appendingPathComponent("half").path
      try FileManager.default.createDirectory(atPath: half, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: half) }
      try make(half + "/" + name)
      guard rename(half + "/" + name, path) == 0 else {
        throw MediaTool.Failure(description: "\(path): \(String(cString: strerror(errno)))")
      }
      return path
    }
  }

  /// The input arguments for a moving test pattern with each frame's number in it (see `FrameNumber`).
  ///
  /// `filters` come after the number is written.
  public static func numbered(
    width: Int = 320, height: Int = 180, rate: String = "30", seconds: Double = 3, filters: String = ""
  ) -> [String] {
    let source = "testsrc2=size=\(width)x\(height):rate=\(rate):duration=\(seconds),format=yuv444p"
    return [
      "-f", "lavfi", "-i",
      [source, FrameNumber.filter, filters].filter { !$0.isEmpty }.joined(separator: ","),
    ]
  }

  /// Returns the frames of a clip as ffmpeg shows them, scaled to a size, in the order of presentation.
  ///
  /// The reference for decoding and scaling. `filters` come before the scaling; no frame is repeated or dropped.
  public static func referenceFrames(
    _ path: String, size: PixelSize, filters: String = "", limit: Int = .max
  ) throws -> [PixelImage] {
    let flags = "area+accurate_rnd+full_chroma_int+full_chroma_inp"
    let chain = [filters, "scale=\(size.width):\(size.height):flags=\(flags)", "format=rgb24"]
    var arguments = [
      "-v", "error", "-nostdin", "-i", "file:" + path, "-map", "0:v:0", "-fps_mode", "passthrough",
    ]
    arguments += ["-vf", chain.filter { !$0.isEmpty }.joined(separator: ",")]
    if limit != .max { arguments += ["-frames:v", "\(limit)"] }
    let data = try MediaTool.run("ffmpeg", arguments + ["-f", "rawvideo", "-"])
    let length = size.area * 3
    return (0..<data.count / length).map { index in
      PixelImage(size: size) { pixels in
        data.copyBytes(to: pixels, from: index * length..<(index + 1) * length)
      }
    }
  }

  private static let ffmpegVersion: String = {
    let data = try? MediaTool.run("ffmpeg", ["-version"])
    return data.map { String(decoding: $0.prefix { $0 != 0x0A }, as: UTF8.self) } ?? "no ffmpeg"
  }()

  private static func digest(_ parts: [String]) -> String {
    var hash = FNV1a()
    for byte in parts.joined(separator: "\u{0}").utf8 { hash.combine(byte) }
    // Short: screens show names.
    return String(hash.value, radix: 36)
  }

  /// Runs `body` while no other process and no other call holds the same lock.
  private static func holding<R>(_ lock: String, _ body: () throws -> R) throws -> R {
    let descriptor = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw MediaTool.Failure(description: "\(lock): \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    while flock(descriptor, LOCK_EX) != 0 && errno == EINTR {}
    return try body()
  }

  /// A file of subtitles, which has nothing to be seen or heard.
  public static func words() throws -> String {
    let text = "1\n00:00:01,000 --> 00:00:02,000\nWords\n\n"
    return try file(name: "words.srt", key: [text]) { try Data(text.utf8).write(to: URL(fileURLWithPath: $0)) }
  }
}
