/// Times are encoded as their parts: {"value": 1001, "timescale": 30000}, with the bits of `flags` unless the time is an exact
/// number. Decoding fails if the parts are not those of a time.
extension MediaTime: Codable {
  private enum CodingKeys: String, CodingKey {
    case value, timescale, flags
  }

  /// Creates a time from its parts.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let value = try container.decode(Int64.self, forKey: .value)
    let timescale = try container.decode(Int32.self, forKey: .timescale)
    let flags = try container.decodeIfPresent(UInt8.self, forKey: .flags).map { Flags(rawValue: $0) } ?? .valid
    let special: [MediaTime] = [.invalid, .indefinite, .positiveInfinity, .negativeInfinity]
    if timescale > 0, flags == .valid || flags == [.valid, .hasBeenRounded] {
      self.init(unchecked: value, timescale, flags)
    } else if value == 0, timescale == 0, let time = special.first(where: { $0.flags == flags }) {
      self = time
    } else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "the value, timescale and flags are not those of a time"))
    }
  }

  /// Encodes the parts of the time.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(value, forKey: .value)
    try container.encode(timescale, forKey: .timescale)
    if flags != .valid { try container.encode(flags.rawValue, forKey: .flags) }
  }
}
