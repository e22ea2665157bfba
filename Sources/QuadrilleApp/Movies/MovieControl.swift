import Movies
import Playback

/// The movie in hand, its pane, and what is under way for it. Screen thread only.
final class MovieControl {
  /// What has come of something that was under way.
  enum News {
    /// It is put together, and is to be shown from some place on.
    case built(MovieBuild, Place)
    case notBuilt(FileError)
    /// The file of the movie that a pane plays could not be read.
    case notRead(FileError)
    /// It was written into a file, or was not.
    case saved(FileSaving<MovieDocument>.Result)
  }

  /// Where a movie that was put together anew is shown.
  enum Place: Equatable {
    /// Where its last piece begins.
    case joint
    /// Where it was before.
    case same
  }

  /// A pane whose place the movie's has.
  struct Displaced {
    let pane: Pane
    /// At which it goes on.
    let rate: Double
  }

  private(set) var hand: MovieInHand?
  /// What shows it; nil while it is not shown.
  private(set) var pane: Pane?
  private(set) var displaced: Displaced?
  /// Where it was when it was shown last.
  private(set) var lastTime = MediaTime.zero
  /// The name that was typed for its file while the movie is still being read: it is written there as soon as it has been.
  var awaitedName: String?

  /// What is to be done about pieces when that is possible.
  var requests: [PieceRequest] = []

  private var reading: Reading?
  private var building: Building?
  /// What is to be put together once that which is under way is done.
  private var following: Place?
  private var saving: FileSaving<MovieDocument>
  private var assets: [String: Asset] = [:]
  /// What its user has been told of it.
  private var reported: Set<String> = []
  private let folder: String
  private let makeAsset: @Sendable (String) -> Asset
  private let wake: @Sendable () -> Void

  /// The file of a movie that a pane plays, while it is being read to be added to.
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
  ///   - folder: the present one.
  ///   - makeAsset: called on other threads for each clip of the movie.
  ///   - wake: called from any thread when there is news.
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

  /// Takes the movie in hand that a pane plays from a file.
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

  /// - Parameter piece: of a clip with any name.
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
    let hand = hand ?? MovieInHand()
    self.hand = hand
    hand.add(piece)
    build(.joint)
  }

  /// Takes the piece away that was added last. Returns whether there was one.
  func undo() -> Bool {
    if reading?.waiting.popLast() != nil { return true }
    return hand?.undo() != nil
  }

  // MARK: - Its pane

  func didShow(in pane: Pane, insteadOf displaced: Displaced?) {
    (self.pane, self.displaced) = (pane, displaced)
  }

  /// Its pane is about to be closed. Returns what has its place then; nil where nothing has.
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

  // MARK: - What is under way

  /// Puts the movie together, on another thread. One at a time: what changes meanwhile comes next.
  func build(_ place: Place) {
    guard let hand, building == nil else {
      following = place
      return
    }
    let (document, path, known, makeAsset) = (hand.document, hand.path ?? MovieInHand.standardName, assets, makeAsset)
    let job = BackgroundJob(wake: wake) { reason in
      Result<MovieBuild, FileError>.failure(FileError(file: path, line: nil, message: "cannot be put together: \(reason)"))
    } body: { [folder] in
      MovieBuild.make(document, path: path, folder: folder, known: known, makeAsset: makeAsset)
    }
    building = Building(job: job, place: place)
  }

  /// What is being put together is not shown any more.
  func stopBuilding() { (building, following) = (nil, nil) }

  /// Writes the movie, on another thread.
  ///
  /// - Parameters:
  ///   - typed: the file's name.
  ///   - spared: files that must not be written, besides the movie's own clips.
  func write(_ document: MovieDocument, to typed: String, sparing spared: [String]) {
    saving.write(document, to: typed, sparing: spared) { [folder, assets, makeAsset] file in
      MovieWriting(document: document, file: file, folder: folder) { assets[$0] ?? makeAsset($0) }.write()
    }
  }

  /// Gives up what was not written: asked for once more, it asks anew whether a file may go.
  func giveUpWriting() { saving.giveUp() }

  /// What has come of things under way since the last call.
  func update() -> [News] { [updateReading(), updateBuilding(), updateSaving()].compactMap { $0 } }

  private func updateReading() -> News? {
    guard let reading, let answer = reading.job.value else { return nil }
    self.reading = nil
    switch answer {
    case .success(let document):
      hand = MovieInHand(document, path: reading.path)
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
      // Emptied meanwhile, it has nothing to show.
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

  /// Waits for what is being written, at most until a time of the monotonic clock in nanoseconds.
  ///
  /// - Returns: a sentence about what was not written; nil where all was.
  func finish(until deadline: UInt64) -> String? {
    if let result = saving.wait(until: deadline) { didSave(result) }
    if reading != nil, let name = awaitedName { return "\(name): the movie was not written" }
    guard let hand, !hand.isSaved, hand.pieceCount > 0 || hand.path != nil else { return nil }
    let name = hand.path.map { "\($0): " } ?? ""
    return "\(name)the movie of \(MovieInHand.words(hand.pieceCount)) was not written"
  }
}
