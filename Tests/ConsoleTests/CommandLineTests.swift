import Testing

@testable import Console

/// What a command line means.
struct CommandLineTests {
  private static let rest = "sugar:  - - 2025-03-08T00:00:00Z\n"

  @Test(arguments: [
    ("cup green", "green - 180.0s cold " + rest), ("cup green oat", "green/oat - 180.0s cold " + rest),
    ("cup --strength strong green", "green strong 180.0s cold " + rest),
    ("cup --strength=weak green", "green weak 180.0s cold " + rest),
    ("cup -s weak green", "green weak 180.0s cold " + rest),
    ("cup -sweak green", "green weak 180.0s cold " + rest), ("cup -ws weak green", "green weak 180.0s warm " + rest),
    ("-q cup green", "green - 180.0s cold " + rest), ("cup -- -s", "-s - 180.0s cold " + rest),
    ("cup - --for 1h", "- - 3600.0s cold " + rest),
    ("cup green --sugar 1,2.5 --sugar 0", "green - 180.0s cold sugar:1.0+2.5+0.0  - - 2025-03-08T00:00:00Z\n"),
    ("cup green --guest a --guest b,c", "green - 180.0s cold sugar: a&b,c - - 2025-03-08T00:00:00Z\n"),
    ("cup green -n 12 --part 5%", "green - 180.0s cold sugar:  12 0.05 2025-03-08T00:00:00Z\n"),
    ("cup green --part -2pp", "green - 180.0s cold sugar:  - -0.02 2025-03-08T00:00:00Z\n"),
    ("cup green --now 1d", "green - 180.0s cold sugar:  - - 2025-03-07T00:00:00Z\n"),
    ("cup green --now 2025-01-01", "green - 180.0s cold sugar:  - - 2025-01-01T00:00:00Z\n"),
    ("pot fill", ""), ("stir", "stirs \n"), ("stir green", "stirs green\n"), ("stir well green", "stirs green well\n"),
    ("stir -s weak well green", "stirs green well\n"), ("-q stir well green", "stirs green well\n"),
    ("stir -- well", "stirs well\n"), ("stir -n 2 well", "stirs well\n"),
    ("--version", "brew 1.2.3\n"), ("-V", "brew 1.2.3\n"),
  ]) func means(_ line: String, _ output: String) {
    let run = Run(line.split(separator: " ").map(String.init))
    #expect(run.output == output)
    #expect(run.errors == "")
    #expect(run.exit == .done)
  }

  @Test func passesTheExitCodeOn() { #expect(Run(["pot", "empty"]).exit == .gateNotMet) }

  /// Every message about a wrong command line, whole.
  @Test(arguments: refusals) func refuses(_ line: String, _ message: String) {
    let run = Run(line.split(separator: " ", omittingEmptySubsequences: false).map(String.init))
    #expect(run.errors == message + "\n")
    #expect(run.output == "")
    #expect(run.exit == .usage)
  }

  private static let refusals = [
    ("cop", "error: there is no command \"cop\"\n  did you mean brew cup?\n  hint: see: brew help"),
    ("fill", "error: there is no command \"fill\"\n  did you mean brew pot fill?\n  hint: see: brew help"),
    ("teapot", "error: there is no command \"teapot\"\n  hint: see: brew help"),
    ("pot fil", "error: there is no command \"pot fil\"\n  did you mean brew pot fill?\n  hint: see: brew help pot"),
    ("pot", "error: pot needs one of fill or empty\n  hint: see: brew help pot"),
    ("secre", "error: there is no command \"secre\"\n  hint: see: brew help"),
    ("cup", "error: cup needs TEA\n  hint: see: brew help cup"),
    ("cup green oat extra", "error: cup does not expect \"extra\"\n  hint: see: brew help cup"),
    ("cup green ot", "error: MILK: \"ot\" is not one of cow or oat\n  did you mean oat?\n  hint: see: brew help cup"),
    (
      "cup --stregnth",
      "error: cup has no option \"--stregnth\"\n  did you mean --strength?\n  hint: see: brew help cup"
    ),
    ("cup --weak", "error: cup has no option \"--weak\"\n  did you mean --strength weak?\n  hint: see: brew help cup"),
    ("cup -z", "error: cup has no option \"-z\"\n  hint: see: brew help cup"),
    ("--zzz", "error: brew has no option \"--zzz\"\n  hint: see: brew help"),
    (
      "--strength strong cup green",
      "error: --strength belongs behind its command: brew cup --strength\n  hint: see: brew help"
    ),
    ("cup green -s", "error: -s needs a value: -s weak|strong\n  hint: see: brew help cup"),
    (
      "cup green --strength --warm",
      "error: --strength needs a value: --strength weak|strong\n  hint: see: brew help cup"
    ),
    ("cup green -s weak -s weak", "error: -s is given twice\n  hint: see: brew help cup"),
    ("cup green --warm=yes", "error: --warm takes no value\n  hint: see: brew help cup"),
    ("cup green -s string", "error: --strength: \"string\" is not one of weak or strong\n  did you mean strong?"),
    ("cup green -s ", "error: --strength: \"\" is not one of weak or strong"),
    (
      "cup green --for 3",
      "error: --for: \"3\" is not a duration\n  hint: accepted forms: 500ms, 30s, 90m, 24h, 7d, 2w, 1h30m"
    ),
    (
      "cup green --for 4000w4000w",
      "error: --for: \"4000w4000w\" is not a duration\n  hint: accepted forms: 500ms, 30s, 90m, 24h, 7d, 2w, 1h30m"
    ),
    (
      "cup green --for 99999w",
      "error: --for: \"99999w\" is longer than 1,000 years\n  hint: accepted forms: 500ms, 30s, 90m, 24h, 7d, 2w, 1h30m"
    ),
    ("cup green --now later", "error: --now: \"later\" is not a time\n  hint: \(Instant.forms)"),
    (
      "cup green --now 2025-03-01T10:00:00",
      "error: --now: \"2025-03-01T10:00:00\" is a time without a zone\n  hint: add Z for UTC: 2025-03-01T10:00:00Z"
    ),
    ("cup green -n 13", "error: --count: \"13\" is outside 1 to 12"),
    ("cup green -n 1.5", "error: --count: \"1.5\" is not a whole number"),
    ("cup green --part lots", "error: --part: \"lots\" is not a share\n  hint: accepted forms: 0.02, 2%, 2pp"),
    ("cup green --part 2", "error: --part: \"2\" is more than the whole\n  hint: for per cent write 2%"),
    ("cup green --sugar 1,x", "error: --sugar: \"x\" is not a number"),
    ("cup green --sugar 9", "error: --sugar: \"9\" is outside 0 to 5"),
    ("cup green --tray ", "error: --tray: \"\" is not a path"),
    ("cup green --config no.toml", "error: --config: there is no file \"no.toml\""),
    ("cup \u{1B}[31m --zzz\u{7}", "error: cup has no option \"--zzz\\u{7}\"\n  hint: see: brew help cup"),
    (
      "show --fields tee", "error: --fields: there is no field \"tee\"\n  did you mean tea?\n  hint: fields: tea, drunk"
    ),
    (
      "show --json --fields tee",
      "error: --fields: there is no field \"tee\"\n  did you mean tea?\n  hint: fields: drunk, tea"
    ),
  ]

  @Test func tellsProgramsWhatIsWrong() {
    let message =
      #"{"code":"unknown_command","exit":2,"hint":"see: brew help","message":"there is no command \"cop\"","#
      + #""schema":"uptake.error/1","suggestions":["brew cup"]}"# + "\n"
    #expect(Run(["cop", "--error-format", "json"]).errors == message)
    #expect(Run(["--error-format=json", "cop"]).errors == message)
    #expect(Run(["cop"], environment: ["UPTAKE_ERROR_FORMAT": "json"]).errors == message)
    #expect(
      Run(["cop", "--error-format=text"], environment: ["UPTAKE_ERROR_FORMAT": "json"]).errors.hasPrefix("error: "))
  }

  @Test func saysWhy() {
    let failure = Failure(
      "disk_full", "cannot write", place: "a.db", why: "no space", hints: ["free some", "or move it"])
    #expect(failure.words == "error: a.db: cannot write\n  why: no space\n  hint: free some\n  hint: or move it\n")
    #expect(Run(["secret"]).errors == "error: it broke\n")
    #expect(Run(["secret"]).exit == .failed)
  }

  @Test(arguments: [
    ("exprot", ["export"]), ("ralease", ["release"]), ("rel", ["release", "releases"]), ("xyz", []), ("", []),
    ("EXPORT", ["export"]), ("a-much-longer-word", []),
  ]) func suggests(_ word: String, _ near: [String]) {
    #expect(suggestions(for: word, among: ["export", "release", "releases", "import", "serve"]) == near)
  }
}
