import Console
import Ingest
import Testing

@testable import Maps

/// What is wrong in a map is said with its line and a remedy, before a file is read.
@Suite struct MapFileTests {
  static let base = "format = \"jsonl\"\n[event]\ndevice = \"id\"\nstage = \"what\"\n"

  @Test(arguments: [
    ("[event]\ndevice = \"a\"\nstage = \"b\"", "m: the map does not say how the export is written"),
    ("format = \"josnl\"", "m:1: format is \"josnl\""),
    ("formt = \"jsonl\"", "m:1: unknown key \"formt\""),
    (
      "format = \"jsonl\"\n[event]\ndevice = \"a\"",
      "m: the map does not say where \"stage\" comes from, which every event needs"
    ),
    (base + "relase = \"r\"", "m:5: events have no field \"relase\""),
    (base + "[evnt]\na = 1", "m:6: unknown key \"evnt.a\""),
    (base + "[evnt]", "m:5: unknown table [evnt]"),
    (base + "[event.at]\npaht = \"r\"", "m:6: unknown key \"paht\""),
    (
      base + "[event.at]\npath = \"r\"\ntime = \"2006-01-02\"",
      "m:7: event.at.time: the form of time \"2006-01-02\" has no hour, 15"
    ),
    (
      base + "[event.at]\npath = \"r\"\ntime = \"2006-01-02 15:04\"",
      "m:7: event.at.time: the form of time \"2006-01-02 15:04\" has no zone"
    ),
    (base + "[event.release]\npath = \"r\"\ntime = \"ms\"", "m:7: event.release.time is for instants only"),
    (base + "[event.release]\npath = \"r\"\nscale = 2", "m:7: event.release.scale is for numbers only"),
    (base + "[event.release]\npath = \"r\"\nis = [\"a\"]", "m:7: event.release.is needs a when"),
    (base + "[event.bytes]\npath = \"r\"\nscale = 0", "m:7: event.bytes.scale takes a number above 0"),
    (base + "[event.release]\nprefix = \"r\"", "m:6: release comes from nowhere"),
    (base + "release = \"a..b\"", "m:5: event.release: the path \"a..b\" has an empty name"),
    (base + "release = \"a[b\"", "m:5: event.release: the path \"a[b\" has a [ that is not closed"),
    (base + "release = \"a[b]\"", "m:5: event.release: the path \"a[b]\" has [b], which is no number"),
    (
      base + "[event.release]\npath = \"r\"\npattern = \"$a$b\"",
      "m:7: event.release.pattern: nothing stands between two parts of the pattern \"$a$b\", before $b"
    ),
    (base + "[event.release]\npath = \"r\"\nvalues = [[\"a\"]]", "m:7: event.release.values has a row that is no pair"),
    (base + "[event.stage]\npath = \"r\"", "m:6: event.stage is there twice, as a key and as a table"),
    (
      base + "[event.trigger]\nvalue = \"foregrond\"",
      "m:6: unknown trigger \"foregrond\"; did you mean \"foreground\"? Permitted: silentPush, bgRefresh, foreground, location, unknown"
    ),
    ("format = \"log\"\n" + base.dropFirst(17), "m:1: a log needs a pattern that names its parts"),
    (
      "pattern = \"$id $b\"\nformat = \"log\"\n" + base.dropFirst(17),
      "m:2: the map reads \"what\", which its pattern does not name"
    ),
    (
      "columns = [\"id\", \"wat\"]\nformat = \"tsv\"\n" + base.dropFirst(17),
      "m:2: the map reads \"what\", which is none of its columns"
    ),
  ]) func problems(_ text: String, _ message: String) {
    #expect { try EventMap(toml: text, path: "m") } throws: { error in
      let failure = error as? Failure
      #expect(failure?.message == message)
      #expect(failure?.exit == .usage)
      #expect(failure?.hints.isEmpty == false || failure?.what.contains("Permitted") == true)
      return true
    }
  }

  @Test func suggestionsAreMade() throws {
    func suggestions(_ text: String) -> [String] {
      do throws(Failure) { _ = try EventMap(toml: text, path: "m") } catch { return error.suggestions }
      return []
    }
    #expect(suggestions("formt = \"jsonl\"") == ["format"])
    #expect(suggestions(Self.base + "relase = \"r\"").first == "release")
    #expect(suggestions(Self.base + "[event.at]\npaht = \"r\"").first == "path")
  }

  @Test func aFileThatIsNotThere() {
    #expect(throws: Failure.self) { try EventMap("/nowhere/map.toml") }
  }
}
