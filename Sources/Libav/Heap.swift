import CFFmpeg

/// The memory of the process.
public enum Heap {
  /// Lets the C library keep little of what is freed: one store of it for all threads, given back to the system from a megabyte on.
  ///
  /// Decoders come and go with tens of megabytes each, on any thread. Left alone, glibc has a store for each thread, and keeps more
  /// there the larger the pieces that were freed: a story at 1080p had 340 MB at its peak, of which 200 were in use.
  ///
  /// To be called before there are threads, which keep the stores that they have.
  public static func keepLittleFreedMemory() {
    mallopt(M_ARENA_MAX, 1)
    mallopt(M_TRIM_THRESHOLD, 1 << 20)
  }
}
