import Testing

@testable import Console

/// What is written from the table of commands.
struct HelpTests {
  @Test func pictures() throws {
    try expectPicture(sample.help(for: []), "help.txt")
    try expectPicture(sample.help(for: ["cup"]), "help-cup.txt")
    try expectPicture(sample.help(for: ["pot"]), "help-pot.txt")
    try expectPicture(sample.help(for: ["stir"]), "help-stir.txt")
    try expectPicture(sample.help(topic: "leaves") ?? "", "help-leaves.txt")
    try expectPicture(sample.manualPage, "brew.1")
    for shell in Shell.allCases { try expectPicture(shell.script(for: sample), "completion.\(shell.rawValue)") }
  }

  /// With commands to begin with, the others are names; all of it is one word away.
  @Test func beginsWithWhatMatters() {
    var program = sample
    program.essentials = ["stir"]
    let help = program.help(for: [])
    #expect(help.contains("BEGIN WITH\n  stir"))
    #expect(help.contains("OTHER COMMANDS\n") && help.contains("cup, pot") && !help.contains("--ascii"))
    #expect(program.helpForAll == sample.help(for: []))
    #expect(Shell.fish.advice(for: sample).hasPrefix("next: mkdir -p ~/.config/fish/completions && "))
  }

  @Test(arguments: [[], ["-h"], ["--help"]]) func helpsWithoutACommand(_ line: [String]) {
    #expect(Run(line).output == sample.help(for: []))
    #expect(Run(line).exit == .done)
  }

  @Test(arguments: [["cup", "--help"], ["cup", "green", "-h"], ["-h", "cup"], ["cup", "--help", "--zzz"]])
  func helpsWithACommand(_ line: [String]) throws {
    try #require(!line.contains("--zzz") || Run(line).exit == .usage)
    if !line.contains("--zzz") { #expect(Run(line).output == sample.help(for: ["cup"])) }
  }

  private func completions(_ words: String...) -> [String] {
    let host = Host(
      arguments: [], environment: [:], output: Buffer().sink(false, 80), errors: Buffer().sink(false, 80),
      readFile: { (_) throws(Failure) in nil })
    return sample.completions(for: words, host).split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
  }

  @Test func completes() {
    #expect(completions("") == [":words", "cup", "pot", "show", "stir"])
    #expect(completions("c") == [":words", "cup"])
    #expect(completions("pot", "") == [":words", "fill", "empty"])
    #expect(completions("pot", "f") == [":words", "fill"])
    #expect(completions("stir", "") == [":words", "well", "green", "greek", "black"])
    #expect(completions("stir", "g") == [":words", "green", "greek"])
    #expect(completions("stir", "--", "") == [":words", "green", "greek", "black"])
    #expect(completions("stir", "green", "") == [":words"])
    #expect(completions("cup", "gr") == [":words", "green", "greek"])
    #expect(completions("cup", "green", "") == [":words", "cow", "oat"])
    #expect(completions("cup", "green", "oat", "") == [":words"])
    #expect(completions("cup", "--st") == [":words", "--strength"])
    #expect(completions("cup", "--strength", "") == [":words", "weak", "strong"])
    #expect(completions("cup", "-s", "w") == [":words", "weak"])
    #expect(completions("cup", "--strength=s") == [":words", "--strength=strong"])
    #expect(completions("cup", "--strength", "weak", "--st") == [":words"])
    #expect(completions("cup", "--tray", "") == [":files"])
    #expect(completions("cup", "--tray=x") == [":files"])
    #expect(completions("--config", "") == [":files"])
    #expect(completions("cup", "--guest=bl") == [":words", "--guest=black"])
    #expect(completions("cup", "-s", "weak", "we") == [":words", "weak"])
    #expect(completions("cup", "--", "-") == [":words"])
    #expect(completions("show", "--fields", "a") == [":words"])
    #expect(completions("zzz", "cup", "-").contains("--strength"))
    #expect(completions("--v") == [":words", "--verbose", "--version"])
  }

  /// Law: help, man page and completion know every visible option of every visible command.
  @Test func nothingIsForgotten() { expectComplete(sample) }

  /// Law: no help screen is wider than 80 columns.
  @Test func fitsOnATerminal() { expectNarrow(sample) }
}

func expectComplete(_ program: Program) {
  let host = Host(
    arguments: [], environment: [:], output: Buffer().sink(false, 80), errors: Buffer().sink(false, 80),
    readFile: { (_) throws(Failure) in nil })
  let manual = program.manualPage
  for (words, command) in program.leaves where !command.isHidden {
    let screen = program.help(for: words)
    let offered = program.completions(for: words + ["--"], host)
    for option in (command.options + program.options) where !option.isHidden {
      #expect(screen.contains("--\(option.name)"), "help of \(words)")
      #expect(offered.contains("--\(option.name)\t"), "completion of \(words)")
      #expect(manual.contains("Fl -\(option.name)"), "manual")
    }
    #expect(!command.examples.isEmpty, "\(words) has no example")
    #expect(program.help(for: []).contains(words[0]))
  }
}

func expectNarrow(_ program: Program) {
  let groups = program.commands.map { [$0.name] }
  let screens =
    ([[]] + groups + program.leaves.map(\.words)).map { program.help(for: $0) }
    + program.topics.compactMap { program.help(topic: $0.name) }
  for line in screens.flatMap({ $0.split(separator: "\n") }) { #expect(displayWidth(String(line)) <= 80, "\(line)") }
}
