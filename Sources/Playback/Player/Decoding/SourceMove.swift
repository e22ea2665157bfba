/// A move of the source before it decodes further.
enum SourceMove: Equatable {
  case seek(MediaTime, SeekOptions)
  case rewind
}
