/// What an app's source says, as far as plain text tells: a reader of text, not of Swift or Kotlin.
struct SourceFacts {
  /// Identifiers of background tasks, written as texts.
  var tasks: [(identifier: String, path: String)] = []
  /// Periods of periodic work, in minutes.
  var periods: [(minutes: Double, path: String)] = []

  init(_ files: [AppFile]) {
    for file in files where file.kind == .source {
      let text = String(decoding: file.bytes, as: UTF8.self)
      for call in [
        "BGAppRefreshTaskRequest(identifier:", "BGProcessingTaskRequest(identifier:", "forTaskWithIdentifier:",
      ] {
        tasks += behind(call, in: text).compactMap(quotedText).map { ($0, file.path) }
      }
      periods += behind("PeriodicWorkRequest", in: text).compactMap(period).map { ($0, file.path) }
    }
    var seen: Set<String> = []
    tasks = tasks.filter { seen.insert($0.identifier).inserted }
  }
}

/// The text behind each occurrence of a word, to the end of the statement as far as can be told.
private func behind(_ word: String, in text: String) -> [Substring] {
  guard text.contains(word) else { return [] }
  return text.split(separator: word, omittingEmptySubsequences: false).dropFirst().map { $0.prefix(200) }
}

/// The text between quotation marks that a call begins with.
private func quotedText(_ call: Substring) -> String? {
  let rest = call.drop { $0 == " " || $0 == "@" || $0.isNewline }
  guard rest.first == "\"", let end = rest.dropFirst().firstIndex(of: "\"") else { return nil }
  let text = String(rest[rest.index(after: rest.startIndex)..<end])
  return text.isEmpty || text.contains("\\(") ? nil : text
}

/// `Builder<SyncWorker>(10, TimeUnit.MINUTES)`, `.Builder(SyncWorker.class, 10, TimeUnit.MINUTES)`
private func period(_ call: Substring) -> Double? {
  guard let open = call.firstIndex(of: "("), let close = call[open...].firstIndex(of: ")") else { return nil }
  let words = call[call.index(after: open)..<close].split { $0 == "," || $0 == " " || $0.isNewline }
  guard let unit = words.firstIndex(where: { $0.hasPrefix("TimeUnit.") }), unit > 0,
    let number = Double(words[unit - 1].filter { $0.isNumber || $0 == "." })
  else { return nil }
  switch words[unit] {
  case "TimeUnit.SECONDS": return number / 60
  case "TimeUnit.MINUTES": return number
  case "TimeUnit.HOURS": return number * 60
  case "TimeUnit.DAYS": return number * 1440
  default: return nil
  }
}

enum SourceRules {
  static let all: [Rule<SourceFacts>] = [
    Rule(
      "android-work-period", why: "WorkManager runs periodic work every 15 minutes at most, whatever is asked for"
    ) { facts in
      facts.periods.flatMap { period in
        let found =
          "every \(period.minutes == period.minutes.rounded() ? "\(Int(period.minutes))" : "\(period.minutes)") min"
        return period.minutes < 15
          ? Remark.warn("\(period.path): PeriodicWorkRequest", found, fix: "ask for 15 minutes or more")
          : Remark.pass("\(period.path): PeriodicWorkRequest", found)
      }
    }
  ]
}
