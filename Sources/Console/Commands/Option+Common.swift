extension Option {
  public static let help = Option("help", short: "h", group: "GLOBAL OPTIONS", help: "Show this help")
  public static let config = Option(
    "config", .path, environment: "UPTAKE_CONFIG", group: "GLOBAL OPTIONS",
    help: "Read this configuration file, and no other")
  public static let colour = Option(
    "color", .choice(["auto", "always", "never"]), fallback: "auto", group: "GLOBAL OPTIONS",
    help: "When to use colors; auto also looks at NO_COLOR, CLICOLOR, CLICOLOR_FORCE and TERM")
  public static let noColour = Option("no-color", group: "GLOBAL OPTIONS", help: "The same as --color never")
  public static let ascii = Option(
    "ascii", environment: "UPTAKE_ASCII", group: "GLOBAL OPTIONS", help: "Draw with ASCII characters only")
  public static let quiet = Option(
    "quiet", short: "q", group: "GLOBAL OPTIONS", help: "Print no notes and no progress, only answers and errors")
  public static let verbose = Option("verbose", short: "v", group: "GLOBAL OPTIONS", help: "Say more on standard error")
  public static let noInput = Option(
    "no-input", group: "GLOBAL OPTIONS", help: "Never ask; fail where an answer would be needed")
  public static let errorFormat = Option(
    "error-format", .choice(["text", "json"]), fallback: "text", environment: "UPTAKE_ERROR_FORMAT",
    group: "GLOBAL OPTIONS", help: "How to print an error on standard error")

  /// What every command understands.
  public static let common = [config, colour, noColour, ascii, quiet, verbose, noInput, errorFormat, help]

  public static let format = Option(
    "format", short: "o", .choice(Format.allCases.map(\.rawValue)), value: "FORMAT", environment: "UPTAKE_FORMAT",
    key: "output.format", group: "OUTPUT OPTIONS",
    help: "How to print the answer. Without it: a table on a terminal, tsv in a pipe")
  public static let json = Option("json", group: "OUTPUT OPTIONS", help: "The same as --format json")
  public static let fields = Option(
    "fields", .text, value: "A,B", arity: .list, group: "OUTPUT OPTIONS", help: "Print only these fields, in this order"
  )
  public static let noHeader = Option("no-header", group: "OUTPUT OPTIONS", help: "Print no heading in tsv and csv")
  public static let output = Option(
    "output", .path, value: "FILE", group: "OUTPUT OPTIONS",
    help: "Write to a file, atomically; - is standard output")

  /// What every command understands that prints an `Answer`.
  public static let answer = [format, json, fields, noHeader, output]
}

/// The forms that an answer can take.
public enum Format: String, CaseIterable, Sendable {
  case table, json, ndjson, csv, tsv, md, plot
}
