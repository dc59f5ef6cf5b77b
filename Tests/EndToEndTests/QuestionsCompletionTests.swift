import Foundation
import Testing

/// Names from the database behind the cursor, in time for a prompt.
struct QuestionsCompletionTests {
  @Test(arguments: [
    (["time-to-update", ""], ["4.0.0", "4.1.0", "4.2.0", "4.3.0", "4.3.1", "4.4.0", "4.5.0"]),
    (["time-to-update", "4.3"], ["4.3.0", "4.3.1"]), (["push", "--channel", ""], ["beta", "production"]),
    (["push", "--platform", "i"], ["ios"]), (["funnel", "--app", ""], ["com.example.shop"]),
    (["push", "--by", "channel,p"], ["channel,platform"]), (["schema", "wake"], ["wakeups"]),
    (["funnel", "--app", "com.example.other", ""], []),
  ]) func offers(_ words: [String], _ offers: [String]) throws {
    let fleet = try QuestionsFleet.simulated.get()
    let isInTime = try takesLess(than: .seconds(1)) {
      let result = try Binary.start(
        Binary.path, ["__complete", "--"] + words, environment: ["UPTAKE_DB": fleet.database])
      #expect(result.output.split(separator: "\n").dropFirst().map { String($0.prefix { $0 != "\t" }) } == offers)
    }
    #expect(isInTime)
  }

  @Test func noDatabaseOffersNothing() throws {
    #expect(try Binary.run("__complete", "--", "push", "--channel", "").output == ":words\n")
  }
}
