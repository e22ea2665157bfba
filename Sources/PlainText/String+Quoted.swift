extension String {
  /// Returns the string in double quotes, with the escapes that JSON and YAML share.
  ///
  /// - Parameter escape: returns the escape for any other scalar; nil to keep it.
  package func quoted(escape: (Unicode.Scalar) -> String?) -> String {
    var result = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default:
        if let escaped = escape(scalar) {
          result += escaped
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result + "\""
  }
}
