import Lifecycle
import Store
import Testing

@testable import Query

struct AppSilenceTests {
  private static let now = Timestamp(seconds: 1_710_900_000)

  private static func receipt(_ hours: Int64, hasLater: Bool = false, isBeforeImports: Bool = false) -> NewestReceipt {
    NewestReceipt(at: now - .hours(hours), isBeforeImports: isBeforeImports, hasLater: hasLater)
  }

  private static let rows: [(about: String, receipt: NewestReceipt?, contact: Int64?, since: Int64?)] = [
    ("nothing came for three hours, whatever clocks say", receipt(3), 0, 3),
    ("something came just now, though the cutoff is long ago", receipt(0), 5, nil),
    ("nobody knows when imports came", receipt(3, isBeforeImports: true), 0, nil),
    ("of the past the newest rows, of an import, do not have its last receipt", receipt(4, hasLater: true), 0, nil),
    ("of the past both are told", receipt(4, hasLater: true), 6, 4),
  ]

  @Test(arguments: rows) func sinceWhen(about: String, receipt: NewestReceipt?, contact: Int64?, since: Int64?) {
    let silence = AppSilence(receipt, contact.map { Self.now - .hours($0) }, now: Self.now)
    #expect(silence?.since == since.map { Self.now - .hours($0) }, "\(about)")
  }
}
