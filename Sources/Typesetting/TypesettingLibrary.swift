import CAss

/// libass, loaded at run time.
public final class TypesettingLibrary: Sendable {
  /// The functions are those of a library that stays loaded. Any thread may call them, one at a time for the same handle.
  let functions: qd_ass_functions

  private init(_ functions: qd_ass_functions) { self.functions = functions }

  /// Loads the library; nil if there is none.
  ///
  /// - Parameter path: the library's file. Without one, it is looked for where the system has its libraries.
  public static func find(path: String? = nil) -> TypesettingLibrary? {
    let functions = withUnsafeTemporaryAllocation(of: qd_ass_functions.self, capacity: 1) { buffer in
      buffer.baseAddress.flatMap { qd_ass_load(path ?? "libass.so.9", $0) != 0 ? $0.pointee : nil }
    }
    return functions.map(TypesettingLibrary.init)
  }
}
