import Foundation
import Testing

/// What holds for every command of the built program, whoever adds one.
struct CommandLineTests {
  /// All commands that do something, as words: what completion offers, level by level.
  private static func commands() throws -> [[String]] {
    try offered([""]).flatMap { name in
      let help = try Binary.run("help", name).output
      let own = help.contains("\nEXIT STATUS\n") ? [[name]] : []
      return try help.contains("\nCOMMANDS\n") ? own + offered([name, ""]).map { [name, $0] } : own
    }
  }

  private static func offered(_ words: [String]) throws -> [String] {
    let lines = try Binary.start(Binary.path, ["__complete", "--"] + words).output.split(separator: "\n")
    return lines.dropFirst().map { String($0.prefix { $0 != "\t" }) }
  }

  @Test func everyCommandHasAGoodHelpScreen() throws {
    let (commands, manual) = (try Self.commands(), try Binary.run("man").output)
    #expect(commands.contains(["config", "show"]) && commands.contains(["help"]))
    for words in commands {
      let help = try Binary.start(Binary.path, words + ["--help"])
      #expect(help == (try Binary.start(Binary.path, ["help"] + words)))
      #expect(help.status == 0 && help.errors == "")
      #expect(help.output.contains("\nEXAMPLES\n") && help.output.contains("\nEXIT STATUS\n"), "\(words)")
      #expect(help.output.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(words)")
      #expect(manual.contains(".Ss uptake " + words.joined(separator: " ")), "\(words)")
      for option in try Self.offered(words + ["--"]) {
        #expect(help.output.contains(option), "help of \(words) lacks \(option)")
        #expect(manual.contains("Fl -" + option.dropFirst(2)), "manual lacks \(option)")
      }
    }
  }

  @Test(arguments: ["definitions", "formatting", "environment", "exit-codes"]) func explains(_ topic: String) throws {
    let help = try Binary.run("help", topic)
    #expect(help.status == 0 && help.output.hasPrefix("uptake help \(topic): "))
    #expect(help.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(try Binary.run("help").output.contains("\n  help \(topic)"))
  }

  @Test func definesTheWordsOfAnAnswer() throws {
    let text = try Binary.run("help", "definitions").output
    for word in ["eligible", "offered", "reachable", "reach", "adoption", "censored", "mechanism"] {
      #expect(text.contains("\n  \(word) "), "\(word)")
    }
  }

  @Test func hasAManualThatMandocLikes() throws {
    let mandoc = "/usr/bin/mandoc"
    try #require(FileManager.default.isExecutableFile(atPath: mandoc), "mandoc is missing; make test installs it")
    let manual = try Binary.run("man").output
    let lint = try Binary.start(mandoc, ["-T", "lint", "-W", "warning"], input: manual)
    #expect(lint == .init(output: "", errors: "", status: 0))
    #expect(try Binary.start(mandoc, ["-T", "utf8"], input: manual).output.contains("nothing was done"))
  }

  @Test(arguments: [
    (["hlep"], "error: there is no command \"hlep\"\n  did you mean uptake help?\n  hint: see: uptake help\n"),
    (
      ["halt", "1.4.0"],
      "error: there is no command \"halt\"\n  did you mean uptake release halt?\n  hint: see: uptake help\n"
    ),
    (
      ["create"],
      "error: there is no command \"create\"\n  did you mean uptake key create?\n  hint: see: uptake help\n"
    ),
    (
      ["help", "defnitions"],
      "error: there is no command or topic \"defnitions\"\n  did you mean uptake help definitions?\n  hint: list them with: uptake help\n"
    ),
    (["config"], "error: config needs one of show, check or example\n  hint: see: uptake help config\n"),
    (["completion"], "error: completion needs SHELL: bash, zsh or fish\n  hint: see: uptake help completion\n"),
    (
      ["completion", "basch"],
      "error: SHELL: \"basch\" is not one of bash, zsh or fish\n  did you mean bash?\n  hint: see: uptake help completion\n"
    ),
    (["config", "show", "--config", "/nowhere.toml"], "error: --config: there is no file \"/nowhere.toml\"\n"),
    (["config", "show", "--config", "/usr"], "error: cannot read /usr\n  why: Is a directory\n"),
  ]) func refuses(_ arguments: [String], _ message: String) throws {
    #expect(try Binary.start(Binary.path, arguments) == .init(output: "", errors: message, status: 2))
  }

  @Test func saysItsVersion() throws {
    let version = try Binary.run("--version")
    #expect(version.output.wholeMatch(of: /uptake \d+\.\d+\.\d+\n/) != nil)
    #expect(version == (try Binary.run("version")))
  }

  /// Also where whoever started it ignores SIGPIPE, as Python and systemd do.
  @Test(arguments: ["trap '' PIPE; ", ""]) func endsQuietlyWhenThePipeCloses(_ prefix: String) throws {
    let line = prefix + "(sleep 1; \(Binary.path) man; echo $? >&2) | true"
    let result = try Binary.start("/bin/bash", ["-c", line])
    #expect(result.errors == "141\n")
  }

  /// A service has more to do than to be read: whoever reads its log may end, and begin anew.
  @Test func aServiceOutlivesTheReaderOfItsLog() throws {
    let folder = try scratchFolder()
    let script = """
      cd \(folder); \(Binary.path) serve --db a.db --listen unix:\(folder)/s 2> >(head -n1 > first) > /dev/null &
      for i in $(seq 100); do test -s first && test -S s && break; sleep 0.1; done
      for i in 1 2 3; do sleep 0.2; kill -HUP $!; done
      sleep 0.2; kill -TERM $!; wait $!; echo $?
      """
    let result = try Binary.start("/bin/bash", ["-c", script])
    #expect(result.output == "0\n", "\(result.errors)")
  }

  @Test func saysThatTheDiskIsFull() throws {
    let full = try Binary.start("/bin/bash", ["-c", "\(Binary.path) man > /dev/full"])
    #expect(full.errors.hasPrefix("error: cannot write to standard output\n  why: No space left on device\n"))
    #expect(full.status == 1)
  }
}
