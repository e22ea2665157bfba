/// A user name and a password, which are never part of a description.
struct Credentials: Hashable, Sendable {
  let user: String
  let password: String
}

extension Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  var description: String { "credentials" }
  var debugDescription: String { description }
  var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
