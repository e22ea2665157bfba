import Glibc
import Playback

/// Paths split at their slashes and compared as bytes, because they need not be valid text.
package enum FilePath {
  package typealias Parts = [ArraySlice<UInt8>]
  package static let slash = UInt8(ascii: "/")
  package static let above = Array("..".utf8)[...]

  /// The current folder; "/" if it has no name.
  package static var currentFolder: String {
    guard let name = getcwd(nil, 0) else { return "/" }
    defer { free(name) }
    return Asset.path(ofBytes: UnsafeRawBufferPointer(start: name, count: strlen(name)))
  }

  /// The absolute path. Does not access the file system.
  package static func absolute(_ path: String, in folder: String) -> String {
    let bytes = Asset.bytes(ofPath: path)
    return text(parts(bytes.first == slash ? bytes : Asset.bytes(ofPath: folder) + [slash] + bytes))
  }

  package static func parts(_ bytes: [UInt8]) -> Parts {
    bytes.split(separator: slash).filter { !$0.elementsEqual(".".utf8) }
  }

  package static func text(_ parts: some Collection<ArraySlice<UInt8>>) -> String {
    Asset.path(ofBytes: [slash] + parts.joined(separator: [slash]))
  }

  /// The path without "..", if its folder exists. After a symbolic link, only the system knows where ".." leads.
  ///
  /// Accesses the disk, and may block, only if the path contains "..".
  package static func resolved(_ path: Parts) -> Parts {
    guard path.contains(above), let last = path.last, last != above else { return path }
    let name = Asset.bytes(ofPath: text(path.dropLast())).map { CChar(bitPattern: $0) } + [0]
    guard let found = realpath(name, nil) else { return path }
    defer { free(found) }
    return parts(Array(UnsafeRawBufferPointer(start: found, count: strlen(found)))) + [last]
  }
}
