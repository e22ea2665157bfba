import Glibc

/// The resources of the machine.
package enum SystemResources {
  /// The number of processors available to threads; at least 1.
  package static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// The size of the memory in bytes; 0 if unknown.
  package static var memory: Int { max(0, sysconf(Int32(_SC_PHYS_PAGES))) * max(0, sysconf(Int32(_SC_PAGESIZE))) }
}
