import Foundation
import Testing

/// Planning a hold-out, and assigning devices: on the command line, and for a push server.
struct ExperimentCommandTests {
  @Test func plansFromTheAppsOwnHistory() throws {
    let fleet = try QuestionsFleet.simulated.get()
    let plan = try #require(
      (try fleet.json("experiment", "plan", "--effect", "2pp")["data"] as? [[String: Any]])?.first)
    let smaller = try #require(plan["smaller"] as? Int)
    #expect(smaller == plan["larger"] as? Int && smaller > 1000)
    let always = try #require((plan["atAllLooks"] as? [String: Any])?["smaller"] as? Int)
    #expect(always > 2 * smaller && always < 6 * smaller, "looking as often as one likes takes more")
    #expect(plan["rollouts"] is NSNull && plan["seconds"] is NSNull, "rollouts of the same phones are not added up")
    #expect((plan["baseline"] as? Double).map { $0 > 0.1 && $0 < 0.95 } == true)
    let wide = try #require(
      (try fleet.json("experiment", "plan", "--effect", "10pp")["data"] as? [[String: Any]])?.first)
    #expect((wide["smaller"] as? Int ?? .max) < smaller)
    #expect((wide["seconds"] as? Int ?? .max) <= (plan["seconds"] as? Int ?? .max))
    #expect(try fleet.ask("experiment", "plan", "--effect", "95pp").status == 4)
    #expect(try fleet.ask("experiment", "plan", "--holdout", "60%").status == 2)
    let nobody = try fleet.ask("experiment", "plan", "--where", "osVersion=none")
    #expect(nobody.status == 4 && nobody.errors.contains("no device ever said osVersion=none"), "\(nobody.errors)")
  }

  /// Cases of clients/cases.json.
  @Test func assignsAsTheClientsDo() throws {
    let devices = "00000000000000000000000000000000\nd3b07384d113edec49eaa6238ad5ff00\n"
    let run = try Binary.start(
      Binary.path, ["experiment", "arm", "-", "--arms", "a:1,push:45", "--format", "tsv", "--no-header"], input: devices
    )
    #expect(run.output == "00000000000000000000000000000000\tpush\nd3b07384d113edec49eaa6238ad5ff00\t\n")
    #expect(try Binary.run("experiment", "arm", "d", "--arms", "a:60,b:60").status == 2)
    #expect(try Binary.run("experiment", "arm", "").status == 2)
  }

  @Test func tellsAPushServer() throws {
    let service = try RunningService()
    let path = "/v1/arm?device=00000000000000000000000000000000&experiment=push"
    let reply = try service.ask("GET", path + "&arms=holdout:5,push:95")
    #expect(reply.status == 200)
    #expect(reply.body == #"{"arm":"push","bucket":4073,"experiment":"push","schema":"uptake.arm/1"}"# + "\n")
    #expect(try service.ask("GET", path + "&arms=holdout:5").body.contains("\"arm\":null"))
    for wrong in ["", "&arms=x", "&arms=a:1&arms=a:1", "&arms=a:1&more=1"] {
      #expect(try service.ask("GET", path + wrong).status == 400, "\(wrong)")
    }
    service.stop()
    service.removeFiles()
  }
}
