/// Hides Swift's `print`, which would let text from outside through as it came.
@available(*, unavailable, message: "what people read is printed by CommandOutput and printError")
func print(_ items: Any..., separator: String = " ", terminator: String = "\n") {}
