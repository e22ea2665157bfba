import CFFmpeg
import Glibc

/// A reason that a source on a network cannot be read.
public enum NetworkInputError: Error, Hashable, Sendable {
  /// libavformat was built without the protocol or format.
  case unsupported
  /// Nothing has come for this many seconds.
  case silent(seconds: Int)
  /// The server refuses with this status, as in HTTP: "401 Unauthorized".
  case refused(status: String)
  /// The server names another address instead.
  case redirected
  /// The stream needs a description that the address does not give.
  case needsDescription
  /// There is no video or sound.
  case noMedia
  /// The source has ended.
  case ended
  /// Another failure, with the system's or libav's reason.
  case failed(reason: String)
  case interrupted
}

/// A source that libavformat reads through a network protocol of its own: owns an `AVFormatContext`.
///
/// Not thread-safe.
public final class NetworkInput {
  /// The options with which libavformat opens an address.
  public struct Request: Sendable {
    /// The address, with credentials.
    public var url: String
    /// libavformat's name of the format.
    public var format: String
    /// The only protocols that may be used, whatever the source says.
    public var protocols: [String]
    public var options: [String: String]
    /// The seconds without an answer after which opening fails.
    public var patience: Int
    /// The seconds without a packet after which the source counts as lost; nil for never.
    public var maxSilence: Int?

    public init(
      url: String, format: String, protocols: [String], options: [String: String], patience: Int, maxSilence: Int?
    ) {
      (self.url, self.format, self.protocols, self.options) = (url, format, protocols, options)
      (self.patience, self.maxSilence) = (patience, maxSilence)
    }
  }

  /// The part that libavformat's callback sees.
  private final class Watch {
    let interrupter: Interrupter
    /// The address as it was asked for, which libavformat replaces when a server redirects it.
    var url: [CChar] = []
    var context: UnsafeMutablePointer<AVFormatContext>?
    /// The time at which patience ends, in seconds of the monotonic clock.
    var deadline = Double.infinity
    var isLate = false
    var isRedirected = false

    init(_ interrupter: Interrupter) { self.interrupter = interrupter }

    /// True if libavformat must stop.
    func mustStop() -> Bool {
      if interrupter.isInterrupted { return true }
      if let now = context?.pointee.url, !url.isEmpty, strcmp(now, url) != 0 { isRedirected = true }
      if Self.now > deadline { isLate = true }
      return isLate || isRedirected
    }

    static var now: Double {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
  }

  private let context: UnsafeMutablePointer<AVFormatContext>
  private let watch: Watch
  private let maxSilence: Int?
  /// libavformat's time for finding out about the streams, in microseconds; a source that begins within a group of frames may
  /// need as long until the next one.
  private static let analysis: Int64 = 12_000_000

  private static let flvAnalysis: Int64 = 1_500_000

  /// Opens a source and finds out about its streams; blocks until done or interrupted.
  ///
  /// - Throws: `NetworkInputError`.
  public init(_ request: Request, interrupter: Interrupter) throws(NetworkInputError) {
    _ = LibavLog.isSilentByDefault
    _ = Self.networkIsReady
    guard let format = av_find_input_format(request.format), let first = request.protocols.first, Self.hasProtocol(first)
    else { throw .unsupported }
    guard var context = avformat_alloc_context() else { throw .failed(reason: "out of memory") }
    watch = Watch(interrupter)
    maxSilence = request.maxSilence
    watch.context = context
    watch.deadline = Watch.now + Double(request.patience)
    context.pointee.interrupt_callback = AVIOInterruptCB(
      callback: { opaque in
        guard let opaque else { return 0 }
        return Unmanaged<Watch>.fromOpaque(opaque).takeUnretainedValue().mustStop() ? 1 : 0
      }, opaque: Unmanaged.passUnretained(watch).toOpaque())
    context.pointee.max_analyze_duration = Self.analysis
    // One packet at a time: no delay for putting streams in order.
    context.pointee.max_delay = 100_000
    var options: OpaquePointer?
    av_dict_set(&options, "protocol_whitelist", request.protocols.joined(separator: ","), 0)
    av_dict_set(&options, "format_whitelist", request.format, 0)
    for (key, value) in request.options { av_dict_set(&options, key, value, 0) }
    watch.url = Array(request.url.utf8CString)
    var opening: UnsafeMutablePointer<AVFormatContext>? = context
    let code = avformat_open_input(&opening, request.url, format, &options)
    av_dict_free(&options)
    // On failure libav has freed the context.
    if code < 0 { watch.context = nil }
    if code < 0 { throw Self.error(code, watch, request) }
    if let opening { context = opening }
    self.context = context
    // From here on `deinit` cleans up.
    // A transport stream has announced its streams by now: libavformat must not wait for more. In FLV, they may still come.
    if request.format == "mpegts", context.pointee.nb_streams > 0 {
      context.pointee.ctx_flags &= ~AVFMTCTX_NOHEADER
    } else if request.format == "flv" {
      context.pointee.max_analyze_duration = Self.flvAnalysis
    }
    let found = avformat_find_stream_info(context, nil)
    if found < 0 { throw Self.error(found, watch, request) }
    if let problem = Self.problem(context) { throw problem }
  }

  deinit {
    // Saying goodbye must not take long either.
    watch.deadline = min(watch.deadline, Watch.now + 0.2)
    var context: UnsafeMutablePointer<AVFormatContext>? = context
    avformat_close_input(&context)
  }

  private static let networkIsReady: Void = {
    avformat_network_init()
    // libsrt writes to stderr, which may be the terminal of a text interface; 2 leaves only what is critical.
    if let symbol = dlsym(nil, "srt_setloglevel") {
      unsafeBitCast(symbol, to: (@convention(c) (Int32) -> Void).self)(2)
    }
  }()

  private static func hasProtocol(_ name: String) -> Bool {
    var state: UnsafeMutableRawPointer?
    while let found = avio_enum_protocols(&state, 0) { if strcmp(found, name) == 0 { return true } }
    return false
  }

  /// Returns the reason that the streams cannot be used; nil if they can.
  private static func problem(_ context: UnsafeMutablePointer<AVFormatContext>) -> NetworkInputError? {
    var hasMedia = false
    for i in 0..<Int(context.pointee.nb_streams) {
      guard let parameters = context.pointee.streams[i]?.pointee.codecpar else { continue }
      let kind = parameters.pointee.codec_type
      hasMedia = hasMedia || kind == AVMEDIA_TYPE_VIDEO || kind == AVMEDIA_TYPE_AUDIO
      let limit = Int32(Demuxer.maximumSide)
      if parameters.pointee.width > limit || parameters.pointee.height > limit {
        return .failed(reason: "its frames are too large")
      }
    }
    return hasMedia ? nil : .noMedia
  }

  private static func error(_ code: Int32, _ watch: Watch, _ request: Request) -> NetworkInputError {
    if watch.isRedirected { return .redirected }
    if watch.isLate { return .silent(seconds: request.patience) }
    if code == qd_averror_exit() { return .interrupted }
    if code == qd_averror_eof() { return .ended }
    if let status = status(code) { return .refused(status: status) }
    if request.format == "rtp", code == qd_averror_invaliddata() || code == qd_averror(EINVAL) { return .needsDescription }
    if code == qd_averror(EIO) { return .failed(reason: "cannot be reached") }
    if code == qd_averror_invaliddata() { return .failed(reason: "sends data in an unknown format") }
    return .failed(reason: words(code))
  }

  private static func words(_ code: Int32) -> String {
    let reason = AVError(code: code, context: "").reason
    return reason.prefix(1).lowercased() + reason.dropFirst()
  }

  private static func status(_ code: Int32) -> String? {
    switch qd_http_status(code) {
    case 400: "400 Bad Request"
    case 401: "401 Unauthorized"
    case 403: "403 Forbidden"
    case 404: "404 Not Found"
    case 499: "4xx, the request is refused"
    case 599: "5xx, the server has failed"
    default: nil
    }
  }

  /// libav's short name of the format.
  public var formatName: String { String(cString: context.pointee.iformat.pointee.name) }

  /// The streams, by index: as they are now.
  ///
  /// - Throws: `AVError` if memory runs out.
  public func streams() throws -> [StreamParameters] {
    try (0..<Int(context.pointee.nb_streams)).compactMap { i in
      try context.pointee.streams[i].map { try StreamParameters(copying: $0) }
    }
  }

  /// Reads the next packet; blocks until it arrives or the wait is interrupted.
  ///
  /// - Throws: `NetworkInputError`.
  public func read(into packet: Packet) throws(NetworkInputError) {
    while true {
      packet.clear()
      watch.deadline = maxSilence.map { Watch.now + Double($0) } ?? .infinity
      let code = av_read_frame(context, packet.pointer)
      if code >= 0 { return }
      if code == qd_averror(EAGAIN) { continue }
      if watch.isLate { throw .silent(seconds: maxSilence ?? 0) }
      if watch.isRedirected { throw .redirected }
      if code == qd_averror_exit() { throw .interrupted }
      if code == qd_averror_eof() || code == qd_averror(EIO) { throw .ended }
      throw .failed(reason: Self.words(code))
    }
  }
}
