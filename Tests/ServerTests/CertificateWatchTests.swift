import HTTP
import Lifecycle
import Testing

@testable import Server

struct CertificateWatchTests {
  private let end = Timestamp(rawValue: 1_741_000_000_000)

  @Test func theEndIsToldDailyFromAFortnightBeforeIt() {
    let watch = CertificateWatch()
    #expect(watch.news(at: end) == nil, "there is none")
    watch.take(end)
    func news(_ hoursBefore: Int64) -> Bool { watch.news(at: end - .hours(hoursBefore)) == end }
    #expect(!news(14 * 24 + 1))
    #expect(news(14 * 24) && !news(14 * 24 - 1) && !news(13 * 24 + 1))
    #expect(news(13 * 24) && !news(12 * 24 + 1) && news(-1))
    watch.take(end + .days(90))
    #expect(!news(-1), "it was renewed")
  }

  @Test func anExpiredOneDoesNotTakeThePlaceOfAValidOne() {
    let (watch, now) = (CertificateWatch(), end - .days(1))
    #expect(watch.admits(now - .days(2), at: now), "nothing is in force")
    watch.take(end)
    #expect(!watch.admits(now - .days(2), at: now) && !watch.admits(now, at: now))
    #expect(watch.admits(end + .days(90), at: now) && watch.admits(now + .hours(1), at: now))
    #expect(watch.admits(nil, at: now), "what cannot be told is told by who reads it")
    #expect(watch.admits(end, at: end + .days(3)), "both are over")
  }

  @Test func theMetricSaysWhenItEnds() throws {
    let served = try ServedDatabase()
    #expect(served.ask("GET", "/metrics").text.contains("\nuptake_tls_certificate_expiry_timestamp_seconds 0\n"))
    served.service.certificate.take(end)
    #expect(
      served.ask("GET", "/metrics").text.contains("\nuptake_tls_certificate_expiry_timestamp_seconds 1741000000\n"))
  }
}
