import Playback
import Testing

@testable import QuadrilleApp

@Suite(.timeLimit(.minutes(20))) struct GoToTargetTests {
  private static func time(_ value: Int64, _ timescale: Int32) -> MediaTime {
    MediaTime(value: value, timescale: timescale)
  }

  @Test(arguments: [
    ("12.5", GoToTarget.position(.time(time(25, 2)))), ("1:02.5", .position(.time(time(125, 2)))),
    (" 0:02:03.4 ", .position(.time(time(617, 5)))), ("#250", .position(.frame(250))), (" #0 ", .position(.frame(0))),
    ("+5", .seconds(time(5, 1))), ("-2.5", .seconds(time(-5, 2))), ("-1:02", .seconds(time(-62, 1))),
    ("+.5", .seconds(time(1, 2))), ("-0", .seconds(.zero)),
    ("+10f", .frames(10)), ("-2f", .frames(-2)), ("+0f", .frames(0)), ("-3F", .frames(-3)),
    ("50%", .fraction(0.5)), ("0%", .fraction(0)), ("100%", .fraction(1)), ("12.5%", .fraction(0.125)),
  ])
  func reads(text: String, target: GoToTarget) { #expect(GoToTarget(text) == target) }

  @Test(arguments: [
    "", " ", "soon", "#", "#-1", "#+1", "#1.5", "+", "-", "+-5", "--5", "-+5", "+f", "-f", "+1.5f", "+-1f", "10f", "%",
    "101%", "-5%", "+5%", "x%", "1e1%", "0x10%", ".%", "1:60", "+1:60", "+ 5", "1 2", "99999999999999999999",
    "+99999999999999999999f", "٣", "+٣f",
  ])
  func refuses(text: String) { #expect(GoToTarget(text) == nil) }
}
