import Foundation
import TestSupport

/// Clips that the tests of the whole program share: small, so that a debug build plays them with ease.
enum PlayerClips {
  /// 160×90, ten numbered frames a second for 150 s, a keyframe a second.
  static func timeline() throws -> String { try numbered("timeline.mp4", rate: "10", seconds: 150) }

  /// The same as a stream without a container, which has neither length nor time stamps.
  static func rawTimeline() throws -> String {
    try SampleMedia.clip(name: "timeline.m2v", arguments: ["-i", timeline(), "-c:v", "mpeg2video", "-r", "25", "-q:v", "2"])
  }

  /// 160×90, 30 numbered frames a second for 20 s.
  static func smooth() throws -> String { try numbered("smooth.mp4", rate: "30", seconds: 20) }

  /// 160×90, 30 numbered frames a second for 2 s.
  static func short() throws -> String { try numbered("short.mp4", rate: "30", seconds: 2) }

  /// 96×160 (upright), 25 frames a second for 20 s.
  static func upright() throws -> String {
    try numbered("upright.mkv", width: 96, height: 160, rate: "25", seconds: 20)
  }

  /// 160×90, ten numbered frames a second for 20 s, one keyframe.
  static func oneGroup() throws -> String {
    try numbered("onegroup.mp4", rate: "10", seconds: 20, keyEvery: "1000")
  }

  /// 1280×720, ten numbered frames a second for 12 s, one keyframe: what is gone back to takes a while.
  static func heavyGroup() throws -> String {
    try numbered("heavygroup.mp4", width: 1280, height: 720, rate: "10", seconds: 12, keyEvery: "1000")
  }

  private static func numbered(
    _ name: String, width: Int = 160, height: Int = 90, rate: String, seconds: Double, keyEvery: String? = nil
  ) throws -> String {
    try SampleMedia.clip(
      name: name,
      arguments: SampleMedia.numbered(width: width, height: height, rate: rate, seconds: seconds) + [
        "-c:v", "libx264", "-preset", "ultrafast", "-crf", "18", "-threads", "1", "-pix_fmt", "yuv420p",
        "-g", keyEvery ?? rate,
      ])
  }

  /// A copy of the short clip under another name, in `folder`.
  static func copy(in folder: TemporaryFolder, named name: String) throws -> String {
    let path = folder.path(name)
    try FileManager.default.copyItem(atPath: short(), toPath: path)
    return path
  }
}
