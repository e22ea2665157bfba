import DecodePool
import Glibc
import Libav

/// Why a clip cannot be opened or played, in words for its viewer.
public struct PlaybackError: Error, Hashable, Sendable {
  /// What kind of thing went wrong.
  public enum Reason: Hashable, Sendable {
    /// There is no such file.
    case notFound
    /// The system does not let it be read or written.
    case noPermission
    /// A folder, a device, a socket, or a pipe without a writer.
    case notAFile
    /// A file of 0 bytes.
    case emptyFile
    /// An address in a network.
    case networkSource
    /// A list of other sources.
    case playlist
    /// Nothing that is known as a container.
    case unknownFormat
    /// What it tells of itself makes no sense.
    case damaged
    /// Larger than what is taken in, or can be written.
    case tooLarge
    /// There is no video to play.
    case noVideo
    /// There is no decoder for it here.
    case unknownCodec
    /// Not one frame could be decoded.
    case nothingDecodable
    /// A frame was asked for by a number that the clip does not reach.
    case noSuchFrame
    /// A composition was to be changed in a way that makes no sense.
    case invalidEdit
    /// It was called off.
    case cancelled
    /// The system refused something: memory, a thread, reading.
    case system
  }

  /// For programs.
  public let reason: Reason
  /// A sentence without a full stop: "no such file".
  public let message: String

  /// Makes an error, for instance in a frame source of one's own.
  ///
  /// - Parameter message: goes behind the clip's name, without a full stop: "is empty".
  public init(_ reason: Reason, _ message: String) {
    self.reason = reason
    self.message = message
  }

  /// What the system refused.
  ///
  /// - Parameters:
  ///   - failure: "cannot be read".
  ///   - words: the system's: "Input/output error".
  init(_ failure: String, system words: String) {
    self.init(.system, "\(failure): \(words.prefix(1).lowercased() + words.dropFirst())")
  }

  init(_ failure: String, errno code: Int32) { self.init(failure, system: String(cString: strerror(code))) }

  /// The same where a file of subtitles was wanted.
  var ofSubtitles: PlaybackError {
    if reason == .unknownFormat || reason == .playlist {
      return PlaybackError(reason, "is not a known subtitle format, or is damaged at the start")
    }
    let end = ", not a clip"
    return message.hasSuffix(end) ? PlaybackError(reason, "\(message.dropLast(end.count)), not a subtitle file") : self
  }

  package static let nothingDecodable = PlaybackError(.nothingDecodable, "has no decodable frame")
  static let cancelled = PlaybackError(.cancelled, "opening was cancelled")

  /// - Parameter count: how many frames there are, at least one.
  static func noSuchFrame(of count: Int) -> PlaybackError {
    PlaybackError(.noSuchFrame, count == 1 ? "has only 1 frame (#0)" : "has only \(count) frames (#0–#\(count - 1))")
  }

  /// Puts any error of the layers below into words.
  init(_ error: any Error) {
    switch error {
    case let error as PlaybackError:
      self = error
    case let error as FileInputError:
      switch error {
      case .notFound: self.init(.notFound, "no such file")
      case .noPermission: self.init(.noPermission, "cannot be read: permission denied")
      case .isFolder: self.init(.notAFile, "is a folder, not a clip")
      case .isDevice: self.init(.notAFile, "is a device, not a clip")
      case .isSocket: self.init(.notAFile, "is a socket, not a clip")
      case .hasNoWriter: self.init(.notAFile, "is a pipe with no writer")
      case .isEmpty: self.init(.emptyFile, "is empty")
      case .system(let code):
        self.init("cannot be opened", errno: code)
      }
    case let error as DemuxerError:
      switch error {
      case .unknownFormat: self.init(.unknownFormat, "is not a clip, or is damaged at the start")
      case .missingPart(let name):
        self.init(.notFound, "companion file is missing: \(FileName.base(of: name))")
      case .text: self.init(.unknownFormat, "is a text file, not a clip")
      case .playlist(let format):
        self.init(.playlist, "is a playlist (\(format)), which cannot be played yet")
      case .tooLarge(let width, let height):
        self.init(
          .tooLarge, "frames are \(width)×\(height); the limit is \(Demuxer.maximumSide) per side")
      case .tooManySamples(let count):
        self.init(.damaged, "is damaged: claims \(count) frames, more than it has bytes")
      }
    case DecoderError.unknownCodec(let name):
      self.init(.unknownCodec, "cannot be decoded: no decoder for \(name)")
    case FileOutputError.system(let code): self = OutputFile.failure(code)
    case FileOutputError.isNotRead: self.init(.system, "cannot be written: the pipe has no reader")
    case let error as MuxerError:
      switch error {
      case .unknownContainer(let name):
        self.init(
          .unknownFormat,
          name.isEmpty ? "has no file extension; add one, such as .mkv" : "unknown file extension .\(name); use .mkv, for example")
      case .doesNotHold(let codec, let container):
        self.init(.unknownCodec, "\(container) cannot hold \(codec); use another file extension or codec")
      case .needsFile(let container):
        self.init(.notAFile, "is not seekable, as \(container) requires; use .mkv")
      case .needsConstantRate(let container):
        self.init(.invalidEdit, "\(container) requires a constant frame rate; specify one")
      }
    case VideoEncoderError.unknownCodec(let name):
      self.init(.unknownCodec, "no such encoder: \(name)")
    case VideoEncoderError.refusesFormat(let encoder, let format):
      self.init(
        .unknownCodec, "encoder \(encoder) does not support \(format.size.width)×\(format.size.height) in \(format.pixelFormat)")
    case let error as ThreadError:
      self.init("cannot start a thread", system: error.reason)
    case let error as AVError where error.isInterrupted:
      self = .cancelled
    case DecoderError.refusesHeaders:
      self.init(.damaged, "is damaged: invalid video headers")
    case DecoderError.noStream:
      self.init(.damaged, "has changed since it was opened")
    case let error as AVError where error.isOutOfMemory:
      self.init(.system, "out of memory")
    case let error as AVError:
      guard let reason = error.inputFailure else {
        self.init(.damaged, "is damaged or not a clip")
        return
      }
      self.init("cannot be read", system: reason)
    default:
      self.init(.system, String(describing: error))
    }
  }
}

extension PlaybackError: CustomStringConvertible {
  /// The message.
  public var description: String { message }
}
