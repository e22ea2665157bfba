import Libav

/// Keeps the decoding libraries from writing to stderr, where a terminal interface lives.
///
/// One setting for the whole process; what goes wrong is told by errors and events.
public func silenceDecoderLog() { silenceLibavLog() }
