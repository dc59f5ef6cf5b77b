import Dispatch
import HTTP
import Store
import Synchronization
import Testing

@testable import Server

struct QuestionDeskTests {
  private final class Answers: Sendable {
    private let all = Mutex<[Response]>([])
    var statuses: [Int] { all.withLock { $0.map(\.status) } }
    var texts: [String] { all.withLock { $0.map(\.text) } }
    var responder: Responder { Responder { response in self.all.withLock { $0.append(response) } } }
  }

  /// One is answered, two wait; the fourth is told to come again, and the others are answered in their order.
  @Test func soManyWaitAndMoreAreRefused() {
    let desk = QuestionDesk(threads: 1, places: 2, patience: .seconds(30))
    let (gate, started, answers) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), Answers())
    for number in 1...4 {
      desk.take(answers.responder) {
        started.signal()
        gate.wait()
        return .text("\(number)")
      }
      if number == 1 { started.wait() }
    }
    #expect(desk.waiting == 2 && answers.statuses == [503])
    #expect(answers.texts[0].contains("2 questions wait already"))
    for _ in 1...3 { gate.signal() }
    #expect(eventually { answers.texts.count == 4 })
    #expect(answers.texts.dropFirst() == ["1", "2", "3"] && desk.waiting == 0)
  }

  @Test func asManyAreAnsweredAtOnceAsThereAreThreads() {
    let desk = QuestionDesk(threads: 3, patience: .seconds(30))
    let (gate, started, answers) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), Answers())
    for _ in 1...3 {
      desk.take(answers.responder) {
        started.signal()
        gate.wait()
        return .text("")
      }
    }
    for _ in 1...3 { #expect(started.wait(timeout: .now() + 60) == .success) }
    for _ in 1...3 { gate.signal() }
    #expect(eventually { answers.statuses == [200, 200, 200] })
  }

  /// Time runs from the arrival: whoever has waited too long in line is not begun.
  @Test func whatWaitedTooLongIsNotBegun() {
    let desk = QuestionDesk(threads: 1, patience: .seconds(1))
    let (gate, answers) = (DispatchSemaphore(value: 0), Answers())
    let begun = Mutex(0)
    desk.take(answers.responder) {
      gate.wait()
      return .text("late")
    }
    desk.take(answers.responder) {
      begun.withLock { $0 += 1 }
      return .text("never")
    }
    #expect(eventually { desk.waiting == 1 })
    DispatchQueue.global().asyncAfter(deadline: .now() + 1.2) { gate.signal() }
    #expect(eventually { answers.statuses.count == 2 })
    #expect(answers.statuses == [200, 503] && begun.withLock { $0 } == 0)
    #expect(answers.texts[1].contains("question_too_long"))
  }

  @Test func theAnswerKnowsWhenItMustBeThere() {
    let desk = QuestionDesk(threads: 1, patience: .seconds(30))
    let answers = Answers()
    let end = Mutex<ContinuousClock.Instant?>(nil)
    let start = ContinuousClock.now
    desk.take(answers.responder) {
      end.withLock { $0 = Patience.end }
      return .text("")
    }
    #expect(eventually { answers.statuses == [200] })
    let left = end.withLock { $0 }.map { $0 - start } ?? .zero
    #expect(left >= .seconds(30) && left < .seconds(40))
  }
}
