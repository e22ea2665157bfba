/// Where the source goes before it decodes on.
enum SourceMove: Equatable {
  case seek(MediaTime, SeekOptions)
  case rewind
}
