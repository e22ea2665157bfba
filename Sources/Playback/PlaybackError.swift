import DecodePool
import Glibc
import Libav

/// An error in opening or playing a clip, with a message for the user.
public struct PlaybackError: Error, Hashable, Sendable {
  /// The kind of failure.
  public enum Reason: Hashable, Sendable {
    /// The file does not exist.
    case notFound
    /// The system denies permission to read or write the file.
    case noPermission
    /// The path is a folder, a device, a socket, or a pipe without a writer.
    case notAFile
    /// The file has 0 bytes.
    case emptyFile
    /// A server or the link to it has failed, or the address cannot be used.
    case network
    /// The file is a playlist.
    case playlist
    /// The file's format is not recognised.
    case unknownFormat
    /// The file's data is inconsistent.
    case damaged
    /// The file is too large to read or write.
    case tooLarge
    /// The clip has no video.
    case noVideo
    /// No decoder or encoder is available for the codec.
    case unknownCodec
    /// The video is encrypted.
    case encrypted
    /// No frame could be decoded.
    case nothingDecodable
    /// The clip has no frame with the requested number.
    case noSuchFrame
    /// A composition was to be edited in an invalid way.
    case invalidEdit
    /// The work was cancelled.
    case cancelled
    /// A system call failed, for instance for lack of memory or threads, or on a read error.
    case system
  }

  /// The kind of failure, for use by programs.
  public let reason: Reason
  /// A message without a full stop: "no such file".
  public let message: String
  /// The file that the error concerns, if it is another one than the failed call was given; nil otherwise.
  public private(set) var file: String?
  /// The line of the file, such as a movie, that the error concerns, from 1; nil if unknown.
  public private(set) var line: Int?

  /// Creates an error, for instance in a custom frame source.
  ///
  /// - Parameter message: text to follow the clip's name and a colon, without a full stop: "is empty".
  public init(_ reason: Reason, _ message: String) {
    self.reason = reason
    self.message = message
  }

  /// Creates an error in a text file.
  ///
  /// - Parameters:
  ///   - file: the file's name; nil for the one that the failed call was given.
  ///   - line: the line, from 1; nil if unknown.
  public init(_ reason: Reason, _ message: String, file: String? = nil, line: Int?) {
    self.init(reason, message)
    (self.file, self.line) = (file, line)
  }

  /// Returns the message after the name of the file that it concerns: "m.yaml:8: unknown key".
  ///
  /// - Parameter path: the name that the failed call was given.
  public func message(naming path: String) -> String { "\(WebAddress.withoutCredentials(file ?? path))\(line.map { ":\($0)" } ?? ""): \(message)" }

  /// The same error, concerning a file unless it already concerns another one, or the file has no name.
  func concerning(_ path: String) -> PlaybackError {
    var error = self
    error.file = file ?? (path.isEmpty ? nil : path)
    return error
  }

  /// Creates an error for a failed system call.
  ///
  /// - Parameters:
  ///   - failure: the operation that failed: "cannot be read".
  ///   - words: the system's message: "Input/output error".
  init(_ failure: String, system words: String) {
    self.init(.system, "\(failure): \(words.prefix(1).lowercased() + words.dropFirst())")
  }

  init(_ failure: String, errno code: Int32) { self.init(failure, system: String(cString: strerror(code))) }

  /// The same error, worded for a subtitle file.
  var ofSubtitles: PlaybackError {
    if reason == .unknownFormat || reason == .playlist {
      return PlaybackError(reason, "is not a known subtitle format, or is damaged at the start")
    }
    let end = ", not a clip"
    return message.hasSuffix(end) ? PlaybackError(reason, "\(message.dropLast(end.count)), not a subtitle file") : self
  }

  package static let nothingDecodable = PlaybackError(.nothingDecodable, "has no decodable frame")
  static let cancelled = PlaybackError(.cancelled, "opening was cancelled")

  static let negativeFrame = PlaybackError(.noSuchFrame, "frame numbers start at 0")

  /// - Parameter count: number of frames in the clip, at least one.
  static func noSuchFrame(of count: Int) -> PlaybackError {
    PlaybackError(.noSuchFrame, count == 1 ? "has only 1 frame (#0)" : "has only \(count) frames (#0–#\(count - 1))")
  }

  /// Converts any error of the lower layers.
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
      case .isLog: self.init(.notAFile, "is the log of this run, not a clip")
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
        self.init(.playlist, "is a playlist (\(format)), not a clip")
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
      case .failed(let container, let reason):
        self.init("cannot be written as \(container)", system: reason)
      case .cannotBeReadBack(let codec, let container):
        self.init(.unknownCodec, "\(codec) in \(container) cannot be read back; use another file extension or codec")
      }
    case SoundEncoderError.unknownCodec(let name):
      self.init(.unknownCodec, "no such encoder for sound: \(name)")
    case SoundEncoderError.refusesForm(let encoder, let rate, let channels):
      self.init(.unknownCodec, "encoder \(encoder) does not support \(channels) channel\(channels == 1 ? "" : "s") of sound at \(rate) Hz")
    case SoundEncoderError.failed(let encoder, let reason):
      self.init(.damaged, "encoder \(encoder) failed: \(reason)")
    case VideoEncoderError.unknownCodec(let name):
      self.init(.unknownCodec, "no such encoder: \(name)")
    case VideoEncoderError.refusesFormat(let encoder, let format):
      self.init(
        .unknownCodec, "encoder \(encoder) does not support \(format.size.width)×\(format.size.height) in \(format.pixelFormat) at this frame rate")
    case VideoEncoderError.failed(let encoder, let reason):
      self.init("encoder \(encoder) failed", system: reason)
    case let error as ThreadError:
      self.init("cannot start a thread", system: error.reason)
    case let error as AVError where error.isInterrupted:
      self = .cancelled
    case DecoderError.refusesHeaders:
      self.init(.damaged, "is damaged: invalid video headers")
    case DecoderError.isEncrypted:
      self.init(.encrypted, "is encrypted")
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
