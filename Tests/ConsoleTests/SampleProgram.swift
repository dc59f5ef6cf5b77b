import Lifecycle
import Synchronization

@testable import Console

/// A little program with one of everything.
let sample = Program(
  name: "brew", version: "1.2.3", date: "2025-03-01", purpose: "make tea",
  discussion: "Tea needs water. Nothing else does.",
  examples: [.init("Make a cup", "brew cup green --for 3m")],
  commands: [
    cup,
    Command(
      "pot", group: "BREWING", purpose: "Make a pot",
      subcommands: [
        Command("fill", purpose: "Fill it", examples: [.init("Fill it", "brew pot fill")]) { _ in .done },
        Command("empty", purpose: "Empty it", examples: [.init("Empty it", "brew pot empty")]) { _ in .gateNotMet },
      ]),
    Command(
      "show", group: "ASKING", purpose: "Show an answer", options: Option.answer,
      examples: [.init("Show it", "brew show")]
    ) {
      try $0.show(answer)
      return .done
    },
    stir,
    Command("secret", purpose: "Hidden", examples: [], isHidden: true) { _ in throw Failure("broken", "it broke") },
  ],
  topics: [.init("leaves", purpose: "what leaves there are") { "Green and black.\n\n  green  \($0.name)\n  black" }],
  clock: now, tables: [FileTable("supplier", repeats: true, keys: [.init("name", .text, help: "Who")])],
  candidates: { name, invocation in
    name == "teas" ? ["green", "greek", "black", "two words", invocation.text(strength) ?? ""] : []
  })

let strength = Option(
  "strength", short: "s", .choice(["weak", "strong"]), environment: "BREW_STRENGTH", key: "cup.strength", help: "How")
let time = Option("for", .duration, fallback: "3m", key: "cup.for", help: "How long")
let now = Option("now", .instant, help: "The present")
let token = Option("token", .text, environment: "BREW_TOKEN", key: "token", isSecret: true, help: "A secret")
let count = Option("count", short: "n", .integer(1...12), help: "How many")
let part = Option("part", .share, help: "How full")
let warm = Option("warm", short: "w", environment: "BREW_WARM", key: "cup.warm", help: "Warm the cup first")
let sugar = Option("sugar", .number(0...5), arity: .list, key: "cup.sugar", help: "Spoons")
let guest = Option("guest", .text, arity: .repeated, completion: "teas", help: "For whom")
let tray = Option("tray", .path, help: "Where to")

private let cup = Command(
  "cup", group: "BREWING", purpose: "Make a cup",
  arguments: [
    .init("TEA", completion: "teas", help: "Which tea"),
    .init("MILK", .optional, choices: ["cow", "oat"], help: "Which milk"),
  ],
  options: [strength, time, now, token, count, part, warm, sugar, guest, tray],
  examples: [
    .init("Make it strong", "brew cup green -s strong"),
    .init(
      "For a party", "brew cup green --strength strong --count 12 --guest 'Ada L' --guest Grace --tray /kitchen/tray"),
  ],
  exits: [.notEnoughData], seeAlso: ["help leaves"]
) { invocation in
  let sugar = invocation.numbers(sugar).map { decimal($0, 1) }.joined(separator: "+")
  let words = [
    invocation.arguments.joined(separator: "/"), invocation.text(strength) ?? "-",
    "\(try invocation.duration(needed: time).seconds)s",
    invocation.flag(warm) ? "warm" : "cold", "sugar:" + sugar, invocation.texts(guest).joined(separator: "&"),
    invocation.integer(count).map { String($0) } ?? "-", invocation.number(part).map { String($0) } ?? "-",
    invocation.now.rfc3339,
  ]
  try invocation.print(words.joined(separator: " ") + "\n")
  return .done
}

/// A command that does something, and has a subcommand.
private let stir: Command = {
  var command = Command(
    "stir", group: "BREWING", purpose: "Stir a tea",
    arguments: [.init("TEA", .optional, completion: "teas", help: "Which")],
    options: [strength, count], examples: [.init("Stir it", "brew stir green")]
  ) { invocation in
    try invocation.print("stirs " + invocation.arguments.joined() + "\n")
    return .done
  }
  command.subcommands = [
    Command(
      "well", purpose: "Stir it well", arguments: [.init("TEA", help: "Which")], options: [strength],
      examples: [.init("Stir it well", "brew stir well green")]
    ) { invocation in
      try invocation.print("stirs \(invocation.arguments[0]) well\n")
      return .done
    }
  ]
  return command
}()

private let answer = Presentation(
  heading: ["teas"],
  table: Table(
    [.init("TEA", key: "tea"), .init("DRUNK (95% CI)", key: "drunk", hasInterval: true)],
    rows: [[.text("green"), .share(0.5, .init(0.4, 0.6))], [.text("=black"), .missing(because: "too few cups")]]),
  plots: [Plot([Plot.Series("green", points: [.init(x: 5, y: 0.5)], end: 10)], horizon: 10, rows: 3)],
  document: ["schema": "brew.teas/1", "data": [["tea": "green", "drunk": 0.5], ["tea": "=black", "drunk": nil]]],
  notes: ["note: tea is hot"])

/// What a run of the sample printed.
struct Run {
  var output = ""
  var errors = ""
  var exit = ExitCode.done

  init(
    _ line: [String], environment: [String: String] = ["LANG": "C.UTF-8"], files: [String: String] = [:],
    isTerminal: Bool = false, columns: Int = 80, of program: Program = sample
  ) {
    let (output, errors) = (Buffer(), Buffer())
    let host = Host(
      arguments: line, environment: environment, output: output.sink(isTerminal, columns),
      errors: errors.sink(false, 80),
      clock: { Instant(rawValue: 1_741_392_000_000) },
      readFile: { (path) throws(Failure) in files[path].map { Array($0.utf8) } })
    exit = program.run(host)
    (self.output, self.errors) = (output.text, errors.text)
  }
}

final class Buffer: Sendable {
  private let bytes = Mutex<[UInt8]>([])
  var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }

  func sink(_ isTerminal: Bool, _ columns: Int) -> Sink {
    Sink(isTerminal: isTerminal, columns: columns) { (new) throws(Failure) in self.bytes.withLock { $0 += new } }
  }
}
