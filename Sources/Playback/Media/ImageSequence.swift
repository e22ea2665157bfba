import Libav

/// Images whose file names differ only in a number: "shot_0001.png", "shot_0002.png", and so on.
///
/// Each number is a frame, from the first one that exists to the last. A missing number shows the image before it, so that the
/// others keep their times. If the numbers are so far apart that they count something else, such as seconds of the day, the
/// images follow each other directly. A value: it holds the folder's contents as they were when it was found.
public struct ImageSequence: Hashable, Sendable {
  /// The frame rate of sequences if none is given: 25 frames per second.
  public static let defaultFrameRate = Ratio(25, 1)

  /// The pattern of the names with their folder, in the form that `find` reads: "renders/shot_%04d.png".
  public let pattern: String
  /// Frames per second.
  public let frameRate: Ratio
  let files: SequenceFiles

  init(_ files: SequenceFiles, frameRate: Ratio) {
    (self.files, self.frameRate) = (files, frameRate)
    pattern = NamePattern.text(of: files.name)
  }

  init(_ input: SequenceInput, pattern: String) { (files, frameRate, self.pattern) = (input.files, input.frameRate, pattern) }

  /// The number of images.
  public var imageCount: Int { files.numbers.count }
  /// The number of frames: that of the images, and of the missing numbers between them that are shown.
  public var frameCount: Int { files.frameCount }
  /// The first and the last number.
  public var numbers: ClosedRange<Int> { files.numbers[0]...files.numbers[files.numbers.count - 1] }
  /// True if a missing number is a frame that shows the image before it.
  public var holdsMissing: Bool { files.holdsMissing }

  /// The missing numbers between the first and the last, as ranges in increasing order.
  public var missingNumbers: [ClosedRange<Int>] { files.missing }

  /// The files of the images, in order.
  public var paths: [String] { files.numbers.indices.map(files.path(ofImage:)) }
}

extension MediaInput {
  init(_ sequence: ImageSequence) {
    self.init(path: sequence.pattern)
    self.sequence = SequenceInput(sequence.files, frameRate: sequence.frameRate)
  }
}
