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
    if reason == .unknownFormat || reason == .playlist { return PlaybackError(reason, "is no file of subtitles that is known, or damaged at its start") }
    let end = ", not a clip"
    return message.hasSuffix(end) ? PlaybackError(reason, "\(message.dropLast(end.count)), not a file of subtitles") : self
  }

  package static let nothingDecodable = PlaybackError(.nothingDecodable, "has no frame that can be decoded")
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
      case .noPermission: self.init(.noPermission, "may not be read (permission denied)")
      case .isFolder: self.init(.notAFile, "is a folder, not a clip")
      case .isDevice: self.init(.notAFile, "is a device, not a clip")
      case .isSocket: self.init(.notAFile, "is a socket, not a clip")
      case .hasNoWriter: self.init(.notAFile, "is a pipe that nobody writes to")
      case .isEmpty: self.init(.emptyFile, "is empty")
      case .system(let code):
        self.init("cannot be opened", errno: code)
      }
    case let error as DemuxerError:
      switch error {
      case .unknownFormat: self.init(.unknownFormat, "is not a clip, or damaged at its start")
      case .missingPart(let name):
        self.init(.notFound, "belongs to a file that is not there: \(FileName.base(of: name))")
      case .text: self.init(.unknownFormat, "is a text, not a clip")
      case .playlist(let format):
        self.init(.playlist, "is a list of other sources (\(format)), which cannot be played yet")
      case .tooLarge(let width, let height):
        self.init(
          .tooLarge, "says its frames are \(width)×\(height); the most is \(Demuxer.maximumSide) a side")
      case .tooManySamples(let count):
        self.init(.damaged, "is damaged: it tells of \(count) frames, more than it has bytes")
      }
    case DecoderError.unknownCodec(let name):
      self.init(.unknownCodec, "is coded as \(name), which cannot be decoded here")
    case FileOutputError.system(let code): self = OutputFile.failure(code)
    case FileOutputError.isNotRead: self.init(.system, "cannot be written: nobody reads it")
    case let error as MuxerError:
      switch error {
      case .unknownContainer(let name):
        self.init(.unknownFormat, name.isEmpty ? "has no ending that tells its form, such as .mkv" : "has an ending, .\(name), that is no video file's")
      case .doesNotHold(let codec, let container):
        self.init(.unknownCodec, "cannot hold \(codec) in this form (\(container)): another ending or codec may do")
      case .needsFile(let container):
        self.init(.notAFile, "is no file in which one can go back, which \(container) needs: .mkv does without")
      case .needsConstantRate(let container):
        self.init(.invalidEdit, "cannot hold frames of different lengths in this form (\(container)): say a frame rate")
      }
    case VideoEncoderError.unknownCodec(let name):
      self.init(.unknownCodec, "cannot be coded as \(name): there is no such encoder here")
    case VideoEncoderError.refusesFormat(let encoder, let format):
      self.init(
        .unknownCodec, "cannot be coded: \(encoder) does not take \(format.size.width)×\(format.size.height) in \(format.pixelFormat)")
    case let error as ThreadError:
      self.init("no thread could be started", system: error.reason)
    case let error as AVError where error.isInterrupted:
      self = .cancelled
    case DecoderError.refusesHeaders:
      self.init(.damaged, "is damaged: the headers of its video make no sense")
    case DecoderError.noStream:
      self.init(.damaged, "has become another file since it was looked at")
    case let error as AVError where error.isOutOfMemory:
      self.init(.system, "wants more memory than there is")
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
