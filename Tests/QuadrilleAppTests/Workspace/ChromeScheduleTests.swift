import Testing

@testable import QuadrilleApp

@Suite(.timeLimit(.minutes(20))) struct ChromeScheduleTests {
  @Test func drawsAtOnceOrALittleLater() {
    var schedule = ChromeSchedule()
    #expect(schedule.isDue(at: 1000))
    schedule.didDraw(at: 1000)
    #expect(!schedule.isStale && schedule.deadline == nil && !schedule.isDue(at: .max))
    schedule.invalidate()
    #expect(schedule.isStale && schedule.deadline == 1000 + ChromeSchedule.interval)
    #expect(!schedule.isDue(at: 1001) && schedule.isDue(at: 1000 + ChromeSchedule.interval))
    schedule.invalidateAtOnce()
    #expect(schedule.isDue(at: 1001))
    // What is urgent stays so.
    schedule.invalidate()
    #expect(schedule.isDue(at: 1001))
  }
}
