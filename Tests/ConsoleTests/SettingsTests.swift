import Testing

@testable import Console

/// Where values come from, and what is wrong with files.
struct SettingsTests {
  private static let files = [
    "./brew.toml": "[cup]\nfor = \"1m\"\n", "/home/x/.config/brew/config.toml": "cup.for = \"2m\"\ncup.warm = true\n",
    "/etc/brew/config.toml": "[cup]\nfor = \"4m\"\nsugar = [1, 2.5]\nstrength = \"weak\"\n",
  ]
  private static let home = ["HOME": "/home/x"]

  @Test func theStrongestVoiceWins() {
    #expect(
      Run(["cup", "green", "--for", "9m"], environment: Self.home, files: Self.files).output.contains(
        " 540.0s warm sugar:1.0+2.5 "))
    #expect(
      Run(["cup", "green"], environment: Self.home, files: Self.files).output.contains("weak 60.0s warm sugar:1.0+2.5 ")
    )
    let environment = Self.home.merging(["BREW_STRENGTH": "strong", "BREW_WARM": "0"]) { $1 }
    #expect(Run(["cup", "green"], environment: environment, files: Self.files).output.contains("strong 60.0s cold"))
    #expect(
      Run(["cup", "green", "--config", "/etc/brew/config.toml"], environment: Self.home, files: Self.files).output
        .contains(" 240.0s cold"))
    let xdg = ["HOME": "/home/x", "XDG_CONFIG_HOME": "/xdg", "BREW_STRENGTH": ""]
    #expect(Run(["cup", "green"], environment: xdg, files: Self.files).output.contains("weak 60.0s cold"))
  }

  @Test func knowsOrigins() throws {
    let host = Host(
      arguments: [], environment: ["BREW_TOKEN": "x"], output: Buffer().sink(false, 80),
      errors: Buffer().sink(false, 80),
      readFile: { (path) throws(Failure) in Self.files[path].map { Array($0.utf8) } })
    let settings = try Settings(CommandWords(["cup", "green", "--warm"], of: sample), sample, host)
    #expect(settings.setting(warm)?.origin.words == "--warm")
    #expect(settings.setting(token)?.origin.words == "BREW_TOKEN")
    #expect(settings.setting(time)?.origin.words == "./brew.toml:2")
    #expect(settings.setting(strength)?.origin.words == "/etc/brew/config.toml:4")
    #expect(settings.setting(time.with(fallback: nil))?.texts == ["1m"])
    #expect(settings.setting(count) == nil)
  }

  @Test func verboseSaysWhatARunGoesByAndWhatItTook() {
    let environment = Self.home.merging(["BREW_TOKEN": "x"]) { $1 }
    let run = Run(["cup", "green", "--warm", "-v"], environment: environment, files: Self.files)
    let told = run.errors.split(separator: "\n").map(String.init)
    #expect(
      told.dropLast() == [
        "reads ./brew.toml", "reads /home/x/.config/brew/config.toml", "reads /etc/brew/config.toml",
        "goes by --strength weak (/etc/brew/config.toml:4)", "goes by --for 1m (./brew.toml:2)",
        "goes by --token (withheld) (BREW_TOKEN)", "goes by --sugar 1,2.5 (/etc/brew/config.toml:3)",
      ], "\(told)")
    #expect(told.last?.hasPrefix("took 0.0") == true && told.last?.hasSuffix(" MiB of memory at most") == true)
    #expect(Run(["cup", "green", "-v", "-q"], environment: environment, files: Self.files).errors.isEmpty)
    #expect(Run(["secret", "-v"]).errors.hasPrefix("took 0.0"), "also where it fails")
    #expect(Run(["cup", "green"], environment: environment, files: Self.files).errors.isEmpty)
  }

  /// Every message about a file, whole.
  @Test(arguments: refusals) func refuses(_ text: String, _ message: String) {
    let run = Run(["cup", "green"], files: ["./brew.toml": text])
    #expect(run.errors == "error: ./brew.toml:" + message + "\n")
    #expect(run.exit == .usage)
  }

  private static let refusals = [
    ("cup.fro = \"1m\"", "1: unknown key \"cup.fro\"\n  did you mean cup.for?"),
    ("zzz = 1", "1: unknown key \"zzz\"\n  hint: list the keys with: brew config show"),
    ("[cop]", "1: unknown table [cop]\n  did you mean cup?"),
    (
      "[cup]\nfor = \"soon\"",
      "2: cup.for: \"soon\" is not a duration\n  hint: accepted forms: 500ms, 30s, 90m, 24h, 7d, 2w, 1h30m"
    ),
    ("[cup]\nfor = [\"1m\"]", "2: cup.for takes one value, not an array"),
    ("[cup]\nstrength = \"srong\"", "2: cup.strength: \"srong\" is not one of weak or strong\n  did you mean strong?"),
    ("[[supplier]]\nname = \"a\"\nnam = 1", "3: unknown key \"supplier.nam\"\n  did you mean supplier.name?"),
    ("[supplier]\nname = \"a\"", "1: there may be several of [supplier]\n  hint: write the heading [[supplier]]"),
    ("[[cup]]\nfor = \"1m\"\nwarm = true", "1: there is only one of [[cup]]\n  hint: write the heading [cup]"),
    ("token", "1: \"token\" has no value\n  hint: write token = …"),
    ("token =", "1: the value is missing\n  hint: write a value behind =, such as \"text\" or 10"),
    ("token = # no", "1: the value is missing\n  hint: write a value behind =, such as \"text\" or 10"),
    ("token = abc", "1: \"abc\" is not a value\n  hint: texts, times and durations stand in quotation marks: \"abc\""),
    (
      "token = 2025-03-01",
      "1: \"2025-03-01\" is not a value\n  hint: texts, times and durations stand in quotation marks: \"2025-03-01\""
    ),
    ("token = 007", "1: \"007\" is not a value\n  hint: texts, times and durations stand in quotation marks: \"007\""),
    (
      "token = 0x1F",
      "1: \"0x1F\" is not a value\n  hint: texts, times and durations stand in quotation marks: \"0x1F\""
    ),
    ("token = nan", "1: \"nan\" is not a value\n  hint: texts, times and durations stand in quotation marks: \"nan\""),
    ("token = \"a", "1: the text is not closed\n  hint: add \" in the same line"),
    ("token = 'a\n'", "1: the text is not closed\n  hint: add ' in the same line"),
    ("token = \"\"\"a\"\"\"", "1: texts of several lines are not read\n  hint: write the text in one line"),
    ("token = '''a'''", "1: texts of several lines are not read\n  hint: write the text in one line"),
    ("token = \"\\q\"", "1: \"\\q\" is not an escape\n  hint: a backslash is written \\\\, or put the text in '…'"),
    ("token = {a = 1}", "1: inline tables are not read\n  hint: write a [table] of its own"),
    (
      "token = \"a\" b",
      "1: expected the end of the line, found \"b\"\n  hint: one key or heading a line; comments begin with #"
    ),
    ("token = [1, 2", "1: the array begun in line 1 is not closed\n  hint: add ]"),
    ("token = [1 2]", "1: expected , or ] in an array\n  hint: put , between values"),
    ("token = [[[[[[[[[1]]]]]]]]]", "1: arrays are nested too deeply\n  hint: at most 8 levels are read"),
    (
      "\"token\" = 1",
      "1: expected a key, found \"\"\"\n  hint: keys are letters, digits, - and _, without quotation marks"
    ),
    ("[cup", "1: the heading of cup is not closed\n  hint: write [cup]"),
    ("[[supplier]", "1: the heading of supplier is not closed\n  hint: write [[supplier]]"),
    ("[cup]\n[cup]", "2: [cup] is already there, in line 1\n  hint: put the keys of both under one heading"),
    ("token = 'a'\ntoken = 'b'", "2: token is already set in line 1\n  hint: keep one of them"),
  ]

  @Test func keepsASecretInItsMessage() {
    let program = Program(
      name: "brew", version: "", date: "", purpose: "",
      commands: [
        Command(
          "cup", purpose: "", options: [Option("pin", .integer(0...9), key: "pin", isSecret: true, help: "")],
          examples: []
        ) { _ in
          .done
        }
      ])
    let run = Run(["cup"], files: ["./brew.toml": "pin = 1234"], of: program)
    #expect(run.errors == "error: ./brew.toml:1: pin: the value is outside 0 to 9\n")
  }

  @Test func readsEverythingOfTheSubset() throws {
    let text = """
      # a comment
      top = 1_000  # behind a value
      [a-b.c_d]\r
      s = "q\\"\\\\\\n\\t\\u00e9\\U0001F375 #"
      l = 'C:\\x'
      f = -1.5e3
      b = false
      e = ''
      array = [ # first
        "x", 'y',

        [1, 2.5],
      ]
      x.y = +3
      [[t]]
      k = 1
      [[t]]
      k = 2
      """
    let file = try TOMLFile("\u{FEFF}" + text, path: "f")
    let values = file.entries.map { "\($0.line) \($0.element.map { String($0) } ?? "") \($0.key) \($0.value)" }
    #expect(
      values == [
        "2  top integer(1000)", "4  a-b.c_d.s string(\"q\\\"\\\\\\n\\té🍵 #\")", "5  a-b.c_d.l string(\"C:\\\\x\")",
        "6  a-b.c_d.f float(-1500.0)", "7  a-b.c_d.b boolean(false)", "8  a-b.c_d.e string(\"\")",
        "9  a-b.c_d.array array([\(Self.string("x")), \(Self.string("y")), \(Self.nested)])",
        "14  a-b.c_d.x.y integer(3)",
        "16 0 t.k integer(1)", "18 1 t.k integer(2)",
      ])
    #expect(file.elements == ["t": [15, 17]])
  }

  private static func string(_ text: String) -> String { "\(reflecting(TOMLFile.Value.string(text)))" }
  private static var nested: String { "\(reflecting(TOMLFile.Value.array([.integer(1), .float(2.5)])))" }
  private static func reflecting(_ value: TOMLFile.Value) -> String { String(reflecting: value) }

  /// Law: any cut of a good file is read or refused with its place; nothing traps.
  @Test func survivesEveryCut() {
    let text = Array("[a]\nb = [\"x\\u0041\", 'y', {]\n[[c]] # d\ne = -1_0.5e+3\n".unicodeScalars)
    for start in text.indices {
      for end in start...text.count {
        var part = String.UnicodeScalarView()
        part.append(contentsOf: text[start..<end])
        do throws(Failure) { _ = try TOMLFile(String(part), path: "f") } catch {
          #expect(error.place?.hasPrefix("f:") == true && !error.hints.isEmpty)
        }
      }
    }
  }
}
