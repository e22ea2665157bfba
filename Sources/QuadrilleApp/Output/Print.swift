/// Hides Swift's `print`, which would pass untrusted text through unescaped.
@available(*, unavailable, message: "use CommandOutput or printError")
func print(_ items: Any..., separator: String = " ", terminator: String = "\n") {}
