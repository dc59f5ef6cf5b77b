import Synchronization
import Testing

@testable import Console

/// A form is made of the parts that it needs; the others are not made at all.
struct PresentationTests {
  private final class Made: Sendable {
    private let parts = Mutex<[String: Int]>([:])
    var counts: [String: Int] { parts.withLock { $0 } }
    func note<Part>(_ name: String, _ part: Part) -> Part {
      parts.withLock { $0[name, default: 0] += 1 }
      return part
    }
  }

  private func parts(_ line: String...) -> [String: Int] {
    let made = Made()
    let program = Program(
      name: "pour", version: "1", date: "", purpose: "",
      commands: [
        Command("cup", purpose: "", options: Option.answer, examples: []) { invocation in
          try invocation.show(
            Presentation(
              heading: made.note("heading", ["a"]),
              table: made.note("table", Table([.init("A", key: "a")], rows: [[.text("b")]])),
              plots: made.note("plots", []), document: made.note("document", ["data": [["a": "b"]]]),
              notes: made.note("notes", ["c"])))
          return .done
        }
      ])
    #expect(Run(["cup"] + line, of: program).exit == .done)
    return made.counts
  }

  @Test func programsGetTheirFormAndNotes() {
    #expect(parts("--format", "json") == ["document": 1, "notes": 1])
    #expect(parts("--format", "ndjson", "--quiet") == ["document": 1])
    #expect(parts("--format", "csv") == ["table": 1, "notes": 1])
    #expect(parts("--format", "tsv", "--quiet") == ["table": 1])
  }

  @Test func peopleGetNoDocument() {
    #expect(parts("--format", "table") == ["heading": 1, "table": 1, "notes": 1])
    #expect(parts("--format", "table", "--quiet") == ["heading": 1, "table": 1])
    #expect(parts("--format", "md") == ["heading": 1, "table": 1, "notes": 1])
    #expect(parts("--format", "plot") == ["heading": 1, "table": 1, "plots": 1, "notes": 1])
  }

  private func shown(_ line: String..., isTerminal: Bool) -> String {
    let table = Table([.init("A", key: "a")], rows: (0..<5).map { [.text("row \($0)")] })
    let program = Program(
      name: "pour", version: "1", date: "", purpose: "",
      commands: [
        Command("cup", purpose: "", options: Option.answer, examples: []) { invocation in
          let whole = Presentation(table: table, document: ["data": []], notes: ["a note"])
          try invocation.show(whole.shortened { BriefRows([1, 4], note: "3 of 5 rows are left out: --all") })
          return .done
        }
      ])
    return Run(["cup", "--no-color"] + line, isTerminal: isTerminal, of: program).output
  }

  @Test func aTerminalShowsFewerOfManyRows() {
    #expect(shown(isTerminal: true) == "A\nrow 1\nrow 4\n3 of 5 rows are left out: --all\na note\n")
    #expect(shown("--quiet", isTerminal: true) == "A\nrow 1\nrow 4\n3 of 5 rows are left out: --all\n")
  }

  @Test(arguments: ["table", "md", "tsv", "csv"]) func programsGetAllRows(_ format: String) {
    #expect(shown("--format", format, isTerminal: false).contains("row 3"))
  }
}
