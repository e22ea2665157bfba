/// Hides Swift's `print`, which would let text from outside through as it came.
@available(*, unavailable, message: "use CommandOutput or printError")
func print(_ items: Any..., separator: String = " ", terminator: String = "\n") {}
