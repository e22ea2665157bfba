import CAss
import Glibc
import Pixels

/// Draws the text of scenes. Not thread-safe.
public protocol TextDrawing {
  /// False if nothing will be drawn any more.
  var isUsable: Bool { get }

  /// Adds a font that came with a clip.
  func add(_ font: TypesettingFont)

  /// Draws the lines of a scene; the same object again if nothing has changed.
  ///
  /// - Throws: `TypesettingError`.
  func draw(_ scene: TypesettingScene) throws(TypesettingError) -> TypesetText
}

/// Draws text in a process of its own, with limited memory and time: owns that process. Not thread-safe.
///
/// A letter that is much larger than the picture takes libass gigabytes and a minute, and a font may crash it.
public final class TypesettingProcess: TextDrawing {
  /// The argument with which a program has to call `TypesettingServer.run`.
  public static let argument = "--draw-text-for-parent"

  private let identifier: pid_t
  private let socket: MessageSocket
  private var header: String?
  private var latest: TypesetText?
  public private(set) var isUsable = true

  /// The longest time to wait for the system's fonts, and for the text of a scene.
  private static let startTime = Duration.seconds(60)
  private static let drawTime = Duration.seconds(10)

  /// Starts the process, and waits until it has found the system's fonts.
  ///
  /// - Parameter program: the path of a program that runs a `TypesettingServer`.
  /// - Throws: `TypesettingError`.
  public init(program: String) throws(TypesettingError) {
    var descriptor: Int32 = -1
    identifier = qd_ass_spawn(program, Self.argument, &descriptor)
    socket = MessageSocket(descriptor: descriptor)
    guard identifier > 0 else { throw .failed }
    guard let reply = socket.receive(within: Self.startTime, maxLength: 8) else { throw .failed }
    try Reply.check(reply)
  }

  deinit {
    guard identifier > 0 else { return }
    close(socket.descriptor)
    end()
  }

  private func end() {
    guard isUsable else { return }
    isUsable = false
    kill(identifier, SIGKILL)
    while waitpid(identifier, nil, 0) < 0 && errno == EINTR {}
  }

  public func add(_ font: TypesettingFont) {
    guard font.bytes.count <= FontCollection.maxFont else { return }
    var message = MessageWriter()
    message.put(Request.font.rawValue)
    message.put(font.name)
    message.put(font.bytes)
    if isUsable, !socket.send(message.bytes) { end() }
  }

  public func draw(_ scene: TypesettingScene) throws(TypesettingError) -> TypesetText {
    try ScriptTrack.check(scene)
    guard isUsable else { throw .failed }
    var message = MessageWriter()
    message.put(Request.scene.rawValue)
    message.put(scene, withHeader: scene.header != header)
    header = scene.header
    let maxLength = Reply.maxLength(scene.size)
    guard socket.send(message.bytes), let reply = socket.receive(within: Self.drawTime, maxLength: maxLength) else {
      end()
      throw .failed
    }
    if try Reply.check(reply) == .unchanged, let latest { return latest }
    guard let text = Reply.text(in: reply, size: scene.size) else {
      end()
      throw .failed
    }
    latest = text
    return text
  }
}

/// The other side of a `TypesettingProcess`.
public enum TypesettingServer {
  /// The maximum memory of the process, in bytes.
  private static let maxMemory: UInt64 = 640 << 20

  /// Draws what the parent asks for on standard input, until it is gone.
  ///
  /// - Parameter library: the file of libass; nil for the system's.
  public static func run(library: String? = nil) {
    qd_ass_confine(maxMemory)
    let socket = MessageSocket(descriptor: STDIN_FILENO)
    do throws(TypesettingError) {
      guard let library = TypesettingLibrary.find(path: library) else { throw .noLibrary }
      let typesetter = try Typesetter(library)
      guard socket.send(Reply.unchanged) else { return }
      serve(socket, typesetter)
    } catch {
      _ = socket.send(Reply.failure(error))
    }
  }

  private static func serve(_ socket: MessageSocket, _ typesetter: Typesetter) {
    var header = "", latest: TypesetText?
    while let bytes = socket.receive() {
      var message = MessageReader(bytes)
      switch message.int().flatMap(Request.init) {
      case .font:
        guard let name = message.text(), let bytes = message.data() else { return }
        typesetter.add(TypesettingFont(name: name, bytes: Array(bytes)))
      case .scene:
        guard let scene = message.scene(formerHeader: header) else { return }
        header = scene.header
        let reply: [UInt8]
        do throws(TypesettingError) {
          let text = try typesetter.draw(scene)
          reply = text === latest ? Reply.unchanged : Reply.drawn(text)
          latest = text
        } catch {
          reply = Reply.failure(error)
        }
        guard socket.send(reply) else { return }
      case nil: return
      }
    }
  }
}
