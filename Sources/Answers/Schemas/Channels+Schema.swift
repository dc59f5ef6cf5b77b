internal import Console

extension AnswerSchema {
  static let channels = AnswerSchema(
    question: "channels", query: .extent(),
    row: .group + [
      Field("release", .text, "The release that devices ran"),
      Field("devices", .integer, "Devices that said they run it, on a channel and in a time that were looked at"),
      Field("changed", .integer, "Of these, devices that left that channel while they ran it"),
      Field("share", .estimate, "The share that changed"),
      Field(
        "moves",
        .list(
          .object([
            Field("from", .text, "The channel that was left"), Field("to", .text, "The next one"),
            Field("devices", .integer, "Devices that went that way"),
          ])), "Where they went, most devices first"),
      Field("movesWithheld", .integer, "Moves that fewer devices than --min-cell made"),
    ], namesWithheld: true)
}
