import Store

extension ShippingLog.Missed {
  /// Why nothing can be shipped; nil where no event is missing. What was dropped is told first: no archive brings it back.
  func problem(_ path: String, _ place: String) -> RemoteProblem? {
    if dropped > 0 {
      let words = dropped == 1 ? "1 event was" : "\(dropped) events were"
      return RemoteProblem(
        .refused, "events_not_shipped",
        "\(words) dropped from \(path), or lost with an archive, before \(place) had them: what it would hold of this file is never all",
        """
        ship a backup from before that, put in place as another file: \(command: "restore", argument: "BACKUP", options: ["db": "OTHER"]); \
        or begin with another file, whose events the warehouse has from its first on, and ask this one about the time before
        """)
    }
    guard archived > 0 else { return nil }
    return RemoteProblem(
      .refused, "events_not_shipped",
      "\(archived) \(archived == 1 ? "event" : "events") left \(path) for archives before they were shipped to \(place)",
      "put them back first: \(command: "import") ARCHIVE; then ship")
  }
}
