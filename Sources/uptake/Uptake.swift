internal import Answers
internal import Console

/// The program: what `help`, completion and the man page say, and what `main` runs.
let uptake = Program(
  name: "uptake", version: "0.2.0", date: "2026-11-23",
  purpose: "how fast over-the-air updates reach devices",
  examples: [
    .init("Look around in a month of a simulated fleet", "uptake demo"),
    .init("Take events at http://127.0.0.1:8787", "uptake serve"),
    .init("See how releases fare", "uptake status"),
  ],
  commands: commands, essentials: ["serve", "import", "status", "report"], topics: topics, clock: .now,
  carried: [.database, .app, .now],
  tables: [.export], candidates: candidates)
