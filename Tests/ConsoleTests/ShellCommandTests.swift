import Foundation
import Testing

@testable import Console

/// Names as somebody with a key could make them; the last are harmless.
let hostileNames = [
  "2.0.0;touch x;#", "a b", "a  b", "it's", "\"quoted\"", "$(touch x)", "`touch x`", "a\nb", "ends\n", "ends\n\n",
  "ends\r\n", "\n",
  "-rf", "--help", "-", "--", "--db=x", "a\u{1B}[2Jb", "a\u{202E}b", "tab\there", "*", "~", "#", "!!", "%s%n", "a\\b",
  "\\", "it'\u{301};touch x;'\u{301}", "-\u{301}rf", "\"\u{301}$(touch x)",
  "a&b|c>d<e", "$HOME", "{a,b}", "=ls", "naïve ✓ 日本", "cr\rlf", "\u{7F}", "2.0.0", "v1.2+3@x:y/z,_",
]

/// A printed line must reach a program as the words that it was made of.
@Suite struct ShellCommandTests {
  /// The folder of a program that prints its words. Made once, and tried: a program that was just written cannot be run
  /// while a process that was forked meanwhile holds it open for writing.
  private static let programs = Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let program = folder.appending(path: "print-words")
    try Data("#!/bin/sh\nprintf '%s\\000' \"$@\"\n".utf8).write(to: program)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program.path)
    var tries = 0
    while tries < 200, try run("/bin/sh", "print-words", [folder.path], in: folder).status != 0 {
      (tries, _) = (tries + 1, usleep(10_000))
    }
    return folder
  }

  private static func run(
    _ shell: String, _ line: String, _ path: [String], in folder: URL
  ) throws -> (output: Data, status: Int32) {
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(filePath: shell)
    process.arguments = ["-c", line]
    process.environment = ["PATH": (path + ["/usr/bin", "/bin"]).joined(separator: ":"), "LANG": "C.UTF-8"]
    process.currentDirectoryURL = folder
    (process.standardOutput, process.standardError) = (output, FileHandle.nullDevice)
    try process.run()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (bytes, process.terminationStatus)
  }

  /// What a shell makes of a line, the program being one that prints its words.
  private func words(of line: String, shell: String) throws -> [String] {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let bytes = try Self.run(shell, line, [Self.programs.get().path], in: folder).output
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty, "something ran: \(line)")
    return bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast().map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  @Test(arguments: hostileNames, ["/bin/sh", "/bin/bash"]) func staysOneWord(_ name: String, _ shell: String) throws {
    let command = ShellCommand("print-words", "ask").argument(name).option("app", "b").option("flag")
    let line = "\(command)"
    #expect(harmless(line) == line && !line.contains("\n"))
    let isOdd = name.hasPrefix("-")
    let expected = isOdd ? ["ask", "--app", "b", "--flag", "--", name] : ["ask", name, "--app", "b", "--flag"]
    #expect(try words(of: line, shell: shell) == expected)
    let value = ShellCommand("print-words").option("app", name)
    let one = name.hasPrefix("-") ? ["--app=" + name] : ["--app", name]
    #expect(try words(of: "\(value)", shell: shell) == one)
  }

  @Test(arguments: [
    ("2.0.0", "2.0.0"), ("v1.2+3@x:y/z,_", "v1.2+3@x:y/z,_"), ("", "''"), ("a b", "'a b'"), ("it's", "'it'\\''s'"),
    ("a\nb", "\"$(printf 'a\\012b')\""), ("a\u{202E}-", "\"$(printf 'a\\342\\200\\256\\055')\""),
    ("a\u{0}b", "\"$(printf 'ab')\""),
  ]) func isWrittenSo(_ word: String, _ written: String) { #expect(shellWord(word) == written) }

  @Test func aNameThatEndsTheLineGoesInByAnotherWay() {
    #expect("\(ShellCommand("uptake", "reach").argument("a\n"))" == "printf 'reach\\000a\\012' | xargs -0 uptake")
  }

  /// The line is there to be pasted: no terminal is too narrow for it.
  @Test func theNextCommandIsNeitherWrappedNorCut() throws {
    let next = ShellCommand("pour", "cup").argument(String(repeating: "long ", count: 40))
    let shown = Presentation(table: Table([.init("A", key: "a")]), document: [:], notes: ["a note"], next: next)
    for format in ["table", "md"] {
      let program = Program(
        name: "pour", version: "1", date: "", purpose: "",
        commands: [
          Command("cup", purpose: "", options: Option.answer, examples: []) { invocation in
            try invocation.show(shown)
            return .done
          }
        ])
      let run = Run(["cup", "--format", format], isTerminal: true, columns: 40, of: program)
      #expect(run.output.contains("\(next)\n"), "\(run.output)")
    }
  }

  /// Completion puts words on the line as they are.
  @Test(arguments: hostileNames) func completionOffersOnlyWhatIsPlain(_ name: String) {
    let program = Program(
      name: "pour", version: "1", date: "", purpose: "",
      commands: [
        Command("cup", purpose: "", arguments: [.init("NAME", completion: "names", help: "")], examples: []) { _ in
          .done
        }
      ], candidates: { _, _ in [name] })
    let host = Host(
      arguments: [], environment: [:], output: Buffer().sink(false, 80), errors: Buffer().sink(false, 80))
    let isPlain = name == "2.0.0" || name == "v1.2+3@x:y/z,_"
    #expect(program.completions(for: ["cup", ""], host) == ":words\n" + (isPlain ? "\(name)\t\n" : ""))
  }
}
