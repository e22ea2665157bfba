import Glibc

/// The resources of the machine.
package enum SystemResources {
  /// Processors that threads can run on at once; at least 1.
  package static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// Bytes of memory; 0 where the system does not tell.
  package static var memory: Int { max(0, sysconf(Int32(_SC_PHYS_PAGES))) * max(0, sysconf(Int32(_SC_PAGESIZE))) }
}
