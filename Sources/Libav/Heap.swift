import CFFmpeg

/// The memory of the process.
public enum Heap {
  /// Limits the freed memory that the C library keeps: one arena for all threads, trimmed from a megabyte on.
  ///
  /// Decoders come and go with tens of megabytes each, on any thread. By default, glibc has an arena per thread, and keeps
  /// more in it the larger the freed blocks were: a story at 1080p had 340 MB at its peak, of which 200 were in use.
  ///
  /// Call this before any threads start, since they keep their arenas.
  public static func keepLittleFreedMemory() {
    mallopt(M_ARENA_MAX, 1)
    mallopt(M_TRIM_THRESHOLD, 1 << 20)
  }
}
