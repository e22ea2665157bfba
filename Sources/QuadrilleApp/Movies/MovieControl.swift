import Movies
import Playback

/// The movie being edited, its pane, and background work on it. Screen thread only.
final class MovieControl {
  /// A result of background work.
  enum News {
    /// The movie has been built, and the position at which to show it.
    case built(MovieBuild, Place)
    case notBuilt(FileError)
    /// The file of the movie that a pane plays could not be read.
    case notRead(FileError)
    /// The movie has been written, or writing failed.
    case saved(FileSaving<MovieDocument>.Result)
  }

  /// The position at which a rebuilt movie is shown.
  enum Place: Equatable {
    /// The start of its last piece.
    case joint
    /// The same position as before.
    case same
  }

  /// The pane whose place the movie's pane has taken.
  struct Displaced {
    let pane: Pane
    /// Its rate, to be restored.
    let rate: Double
  }

  private(set) var hand: EditSession?
  /// The pane that shows the movie; nil if hidden.
  private(set) var pane: Pane?
  private(set) var displaced: Displaced?
  /// Its position when it was last shown.
  private(set) var lastTime = MediaTime.zero
  /// The file name typed while the movie is still being read; it is written there afterwards.
  var awaitedName: String?

  /// Pending actions on pieces.
  var requests: [PieceRequest] = []

  private var reading: Reading?
  private var building: Building?
  /// The build to start after the current one.
  private var following: Place?
  private var saving: FileSaving<MovieDocument>
  private var assets: [String: Asset] = [:]
  /// Warnings already reported to the user.
  private var reported: Set<String> = []
  private let folder: String
  private let makeAsset: @Sendable (String) -> Asset
  private let wake: @Sendable () -> Void

  /// The movie file of a pane, while it is being read for editing.
  private struct Reading {
    let job: BackgroundJob<Result<MovieDocument, FileError>>
    let path: String
    var waiting: [MoviePiece] = []
  }

  private struct Building {
    let job: BackgroundJob<Result<MovieBuild, FileError>>
    let place: Place
  }

  /// - Parameters:
  ///   - folder: The current folder.
  ///   - makeAsset: Called on other threads for each clip of the movie.
  ///   - wake: Called from any thread when there are results.
  init(
    folder: String = FilePath.currentFolder, makeAsset: @escaping @Sendable (String) -> Asset,
    wake: @escaping @Sendable () -> Void
  ) {
    self.folder = folder
    self.makeAsset = makeAsset
    self.wake = wake
    saving = FileSaving(wake: wake)
  }

  var isReading: Bool { reading != nil }
  var isBuilding: Bool { building != nil || following != nil }
  var isWriting: Bool { saving.isWriting }
  var pieceCount: Int { hand?.pieceCount ?? 0 }

  // MARK: - The movie

  /// Starts editing the movie that a pane plays from a file.
  func adopt(_ pane: Pane) {
    self.pane = pane
    let path = pane.path
    let job = BackgroundJob(wake: wake) { reason in
      Result<MovieDocument, FileError>.failure(FileError(file: path, line: nil, message: "cannot be read: \(reason)"))
    } body: { [folder, makeAsset] in
      Result { () throws(FileError) in
        try MovieComposer(makeAsset: makeAsset).read(path: path).document.rooted(movieAt: path, folder: folder)
      }
    }
    reading = Reading(job: job, path: path)
  }

  /// - Parameter piece: A piece of a clip, with a relative or absolute path.
  func add(_ piece: MoviePiece) {
    var piece = piece
    if case .clip(var clip) = piece.content {
      clip.path = FilePath.absolute(clip.path, in: folder)
      piece.content = .clip(clip)
    }
    if reading != nil {
      reading?.waiting.append(piece)
      return
    }
    let hand = hand ?? EditSession()
    self.hand = hand
    hand.add(piece)
    build(.joint)
  }

  /// Removes the piece added last. Returns false if there is none.
  func undo() -> Bool {
    if reading?.waiting.popLast() != nil { return true }
    return hand?.undo() != nil
  }

  // MARK: - The movie's pane

  func didShow(in pane: Pane, insteadOf displaced: Displaced?) {
    (self.pane, self.displaced) = (pane, displaced)
  }

  /// Prepares for closing the movie's pane. Returns the pane to show in its place; nil if there is none.
  func willHide() -> Displaced? {
    lastTime = pane?.player.currentTime() ?? lastTime
    pane = nil
    stopBuilding()
    return takeDisplaced()
  }

  func takeDisplaced() -> Displaced? {
    defer { displaced = nil }
    return displaced
  }

  // MARK: - Background work

  /// Builds the movie on another thread, one build at a time: later changes are built next.
  func build(_ place: Place) {
    guard let hand, building == nil else {
      following = place
      return
    }
    let (document, path, known, makeAsset) = (hand.document, hand.path ?? EditSession.standardName, assets, makeAsset)
    let job = BackgroundJob(wake: wake) { reason in
      Result<MovieBuild, FileError>.failure(FileError(file: path, line: nil, message: "cannot be assembled: \(reason)"))
    } body: { [folder] in
      MovieBuild.make(document, path: path, folder: folder, known: known, makeAsset: makeAsset)
    }
    building = Building(job: job, place: place)
  }

  /// Discards the build in progress.
  func stopBuilding() { (building, following) = (nil, nil) }

  /// Writes the movie on another thread.
  ///
  /// - Parameters:
  ///   - typed: The file name.
  ///   - spared: Files that must not be overwritten, besides the movie's own clips.
  func write(_ document: MovieDocument, to typed: String, sparing spared: InputFiles) {
    var spared = spared
    spared.add(document)
    saving.write(document, to: typed, sparing: spared) { [folder, assets, makeAsset] file in
      MovieWriting(document: document, file: file, folder: folder) { assets[$0] ?? makeAsset($0) }.write()
    }
  }

  /// Discards a failed write. The next one asks again before overwriting a file.
  func giveUpWriting() { saving.giveUp() }

  /// The results since the last call.
  func update() -> [News] { [updateReading(), updateBuilding(), updateSaving()].compactMap { $0 } }

  private func updateReading() -> News? {
    guard let reading, let answer = reading.job.value else { return nil }
    self.reading = nil
    switch answer {
    case .success(let document):
      hand = EditSession(document, path: reading.path)
      for piece in reading.waiting { add(piece) }
      return nil
    case .failure(let error):
      pane = nil
      return .notRead(error)
    }
  }

  private func updateBuilding() -> News? {
    guard let building, let answer = building.job.value else { return nil }
    self.building = nil
    if let place = following {
      following = nil
      if case .success(let made) = answer { assets = made.assets }
      // If it has become empty, there is nothing to show.
      if pieceCount > 0 { build(place) }
      return nil
    }
    switch answer {
    case .success(var made):
      assets = made.assets
      let remarks = Set(made.composition.remarks)
      made.composition.remarks.removeAll { reported.contains($0) }
      reported = remarks
      return .built(made, building.place)
    case .failure(let error): return .notBuilt(error)
    }
  }

  private func updateSaving() -> News? {
    saving.take().map { result in
      didSave(result)
      return .saved(result)
    }
  }

  private func didSave(_ result: FileSaving<MovieDocument>.Result) {
    if case .written = result.outcome { hand?.didWrite(result.content, to: result.path) }
  }

  /// Waits for the write in progress until a deadline in nanoseconds of the monotonic clock.
  ///
  /// - Returns: A message about a movie that was not written; nil if there is none.
  func finish(until deadline: UInt64) -> String? {
    if let result = saving.wait(until: deadline) { didSave(result) }
    if reading != nil, let name = awaitedName { return "\(name): the movie was not written" }
    guard let hand, !hand.isSaved, hand.pieceCount > 0 || hand.path != nil else { return nil }
    let name = hand.path.map { "\($0): " } ?? ""
    return "\(name)the movie of \(EditSession.words(hand.pieceCount)) was not written"
  }
}
