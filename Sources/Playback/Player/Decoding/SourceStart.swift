/// Where the source has to go before it decodes on.
enum SourceStart: Equatable {
  /// It decodes on from where it is.
  case here
  case seek(MediaTime, SeekOptions)
  case rewind
}
