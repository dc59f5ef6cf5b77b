internal import Answers
internal import Console

/// The program: what `help`, completion and the man page say, and what `main` runs.
let uptake = Program(
  name: "uptake", version: "0.2.0", date: "2026-11-23",
  purpose: "how fast over-the-air updates reach devices",
  examples: [
    .init("See what a word in an answer means", "uptake help definitions"),
    .init("See where each setting comes from", "uptake config show --origin"),
    .init("Complete commands and options in this bash", "source <(uptake completion bash)"),
  ],
  commands: commands, topics: topics, clock: .now, tables: [.export], candidates: candidates)
