/// A JSON value that preserves numbers as written and the order of keys.
indirect enum JSONValue: Hashable, Sendable {
  case null
  case boolean(Bool)
  /// A number as written; also NaN, Infinity and Inf, which some programs write.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([Member])

  /// A key and its value.
  struct Member: Hashable, Sendable {
    var key: String
    var value: JSONValue
  }

  /// The value of a key; nil if there is none. Setting nil removes the key; a new key is added at the end.
  subscript(key: String) -> JSONValue? {
    get {
      guard case .object(let members) = self else { return nil }
      return members.last { $0.key == key }?.value
    }
    set {
      var members: [Member] = []
      if case .object(let own) = self { members = own }
      switch (members.lastIndex { $0.key == key }, newValue) {
      case (let index?, let value?): members[index].value = value
      case (_?, nil): members.removeAll { $0.key == key }
      case (nil, let value?): members.append(Member(key: key, value: value))
      case (nil, nil): return
      }
      self = .object(members)
    }
  }

  /// The text of a string.
  var text: String? { if case .string(let text) = self { text } else { nil } }
  /// The number, rounded to what a double holds.
  var double: Double? { if case .number(let text) = self { Double(text) } else { nil } }
  /// The elements of an array.
  var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
  /// True for null.
  var isNull: Bool { self == .null }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
  init(stringLiteral text: String) { self = .string(text) }
  init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { Member(key: $0.0, value: $0.1) })
  }
}
