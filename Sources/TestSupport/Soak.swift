import Foundation

/// Tests that take long run in full under `scripts/soak`, which sets `QUADRILLE_SOAK`, and in part under `scripts/test`.
public enum Soak {
  public static let isOn = ProcessInfo.processInfo.environment["QUADRILLE_SOAK"].map { !$0.isEmpty } ?? false

  /// Returns `all` when soaking, else `few`.
  public static func cases<Value>(_ all: @autoclosure () -> Value, else few: @autoclosure () -> Value) -> Value {
    isOn ? all() : few()
  }
}
