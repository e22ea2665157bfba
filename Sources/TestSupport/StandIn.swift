import Foundation

/// Programs that stand in for others.
public enum StandIn {
  /// Writes an `ffmpeg` that knows no filter but libvmaf, which gives the frames of a run the scores 0, 1, 2 and so on.
  ///
  /// - Returns: its path.
  public static func ffmpeg(in folder: TemporaryFolder) throws -> String {
    let script = """
      #!/bin/sh
      case "$*" in *-filters*) echo ' .. libvmaf VV->V VMAF'; exit ;; esac
      cat <&3 >/dev/null &
      count=$(grep -ao FRAME <&4 | wc -l)
      wait
      { echo 'Frame,vmaf,'; i=0; while [ $i -lt $count ]; do echo "$i,$i.0,"; i=$((i + 1)); done; } >&5

      """
    let path = folder.path("ffmpeg")
    try script.write(toFile: path, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    return path
  }
}
