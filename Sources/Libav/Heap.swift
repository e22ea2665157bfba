import CFFmpeg

/// The memory of the process.
public enum Heap {
  /// Lets the C library give freed memory back to the system from a megabyte on.
  ///
  /// Decoders come and go with tens of megabytes each. Left alone, glibc keeps more of them the larger the pieces that were freed:
  /// a story at 1080p had 20 to 60 MB more at its peak.
  public static func returnFreedMemory() { mallopt(M_TRIM_THRESHOLD, 1 << 20) }
}
