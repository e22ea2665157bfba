import Foundation

/// Tests that take long run in full under `scripts/soak`, which sets `QUADRILLE_SOAK`, and in part under `scripts/test`.
public enum Soak {
  public static let isOn = ProcessInfo.processInfo.environment["QUADRILLE_SOAK"].map { !$0.isEmpty } ?? false

  /// Returns `all` when soaking, else `few`.
  public static func cases<Value>(_ all: @autoclosure () -> Value, else few: @autoclosure () -> Value) -> Value {
    isOn ? all() : few()
  }

  /// The time that tests without an end run under `scripts/soak`, in seconds: `SOAK_MINUTES`, by default 20.
  public static let seconds = (ProcessInfo.processInfo.environment["SOAK_MINUTES"].flatMap { Double($0) } ?? 20) * 60
}
