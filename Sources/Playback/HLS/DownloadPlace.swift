import Transport

/// The place that the download of a resource has reached: a value.
struct DownloadPlace {
  private let whole: Range<Int64>?
  /// The number of bytes received so far.
  private(set) var received = 0
  /// The number of bytes to receive again, from a server that cannot continue.
  private var repeated = 0
  private(set) var validator: Validator?
  /// True if bytes have been received since the last request.
  private(set) var hasProgress = false
  private var canContinue = true

  /// - Parameter range: the part of the resource to download; nil for all of it.
  init(range: Range<Int64>?) { whole = range }

  /// Notes the next request. Returns the range to ask for; nil for the whole resource.
  mutating func begin() -> ByteRange? {
    hasProgress = false
    repeated = canContinue ? 0 : received
    guard let whole else { return received > 0 && canContinue ? ByteRange(first: Int64(received)) : nil }
    return ByteRange(first: whole.lowerBound + Int64(received), last: whole.upperBound - 1)
  }

  /// Notes bytes that have arrived. Returns the number of new ones among them, which are the last.
  mutating func advance(by count: Int, validator: Validator?) -> Int {
    self.validator = self.validator ?? validator
    hasProgress = true
    let new = max(0, count - repeated)
    repeated -= count - new
    received += new
    return new
  }

  /// Begins again with a server that does not send parts. Returns false if that is impossible.
  mutating func restart() -> Bool {
    guard whole == nil, canContinue, received > 0 else { return false }
    (canContinue, repeated) = (false, received)
    return true
  }
}
