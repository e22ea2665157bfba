import Foundation
import Glibc

/// Sends the frames of a numbered pattern (see `FrameNumber`) as a camera would, at their rate, until it is stopped.
public final class LiveSender {
  private var tool: BackgroundTool?
  private let command: String
  private let arguments: [String]

  /// The frame rate.
  public static let rate = 25
  private static let pattern = ["-re", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=\(rate)," + FrameNumber.filter]
  private static let encoder = [
    "-c:v", "libx264", "-preset", "ultrafast", "-tune", "zerolatency", "-g", "\(rate)", "-pix_fmt", "yuv420p", "-flush_packets", "1",
  ]

  private init(_ command: String, _ arguments: [String]) { (self.command, self.arguments) = (command, arguments) }

  /// A sender to an address, which ffmpeg knows.
  public static func ffmpeg(_ format: String, _ address: String, _ options: [String] = []) -> LiveSender {
    LiveSender("ffmpeg", ["-v", "error", "-nostdin"] + pattern + encoder + options + ["-f", format, address])
  }

  /// An RTSP server by GStreamer at `rtsp://127.0.0.1:port/camera`.
  ///
  /// - Parameter credentials: user and password that it demands; nil for none.
  public static func rtsp(port: Int, credentials: (user: String, password: String)? = nil) throws -> LiveSender {
    let script = try SampleMedia.file(name: "rtsp.py", key: [rtspServer]) { try Data(rtspServer.utf8).write(to: URL(fileURLWithPath: $0)) }
    let clip = try SampleMedia.clip(
      name: "camera.mp4",
      arguments: ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=\(rate):d=60," + FrameNumber.filter] + encoder + ["-an"])
    let login = credentials.map { [$0.user, $0.password] } ?? []
    return LiveSender(python, [script, "\(port)", clip] + login)
  }

  /// The system's own Python, for which its packages are installed.
  private static let python = "/usr/bin/python3"

  /// True if GStreamer's RTSP server is installed.
  public static let hasRTSPServer: Bool = {
    let test = "import gi; gi.require_version('GstRtspServer', '1.0'); from gi.repository import GstRtspServer"
    return (try? MediaTool.run("env", [python, "-c", test])) != nil
  }()

  public func start() throws { tool = try BackgroundTool(command, arguments) }

  public func stop() {
    tool?.stop()
    tool = nil
  }

  private static let rtspServer = """
    import sys, gi
    gi.require_version('Gst', '1.0')
    gi.require_version('GstRtspServer', '1.0')
    from gi.repository import Gst, GstRtspServer, GLib
    Gst.init(None)
    port, clip = sys.argv[1:3]
    server = GstRtspServer.RTSPServer()
    server.set_address('127.0.0.1')
    server.set_service(port)
    factory = GstRtspServer.RTSPMediaFactory()
    factory.set_launch('( filesrc location="%s" ! qtdemux ! rtph264pay name=pay0 pt=96 )' % clip)
    factory.set_shared(True)
    if len(sys.argv) > 4:
      auth = GstRtspServer.RTSPAuth()
      token = GstRtspServer.RTSPToken()
      token.set_string('media.factory.role', 'user')
      auth.add_basic(GstRtspServer.RTSPAuth.make_basic(sys.argv[3], sys.argv[4]), token)
      server.set_auth(auth)
      permissions = GstRtspServer.RTSPPermissions()
      permissions.add_permission_for_role('user', 'media.factory.access', True)
      permissions.add_permission_for_role('user', 'media.factory.construct', True)
      factory.set_permissions(permissions)
    server.get_mount_points().add_factory('/camera', factory)
    server.attach(None)
    GLib.MainLoop().run()
    """
}
