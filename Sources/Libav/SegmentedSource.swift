/// A clip in segments, of which one run after another is demuxed. Safe to use from any thread.
public protocol SegmentedSource: AnyObject, Sendable {
  /// The time at which reading begins, in microseconds.
  var startMicroseconds: Int64 { get }

  /// The duration in microseconds; nil if it is unknown.
  var durationMicroseconds: Int64? { get }

  /// Returns the run that begins with the segment shown at a time of the clip, in microseconds, or with the one nearest to it.
  ///
  /// - Throws: an error if there is none.
  func run(at microseconds: Int64, _ interrupter: Interrupter) throws -> SegmentRun

  /// Returns the run that follows another one, as far as it has been read; nil at the end. Waits if it may come later.
  ///
  /// - Throws: an error if nothing more can be had.
  func run(after run: SegmentRun, _ interrupter: Interrupter) throws -> SegmentRun?
}

/// Consecutive segments with continuous timestamps, read as one stream of bytes.
public struct SegmentRun: Sendable {
  /// The bytes, in order.
  public let bytes: any ByteSource
  /// The time of the first segment in microseconds of the clip.
  public let start: Int64
  /// The number of the part of the clip without a discontinuity in which it lies.
  public let group: Int
  /// The number of the encoding: runs of several have the same content, at different bit rates and sizes.
  public let variant: Int

  public init(bytes: any ByteSource, start: Int64, group: Int, variant: Int = 0) {
    (self.bytes, self.start, self.group, self.variant) = (bytes, start, group, variant)
  }
}
