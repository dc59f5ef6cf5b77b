import Lifecycle

/// Finds stages in words of a client's own choice, by their letters alone.
enum LooseStage {
  /// The stage that a word means; nil for every other word. `Update Ready`, `update_ready` and `updateReady` are one.
  static func find(_ word: String) -> StageWord? {
    guard word.utf8.count <= 40 else { return nil }
    return words[letters(of: word)]
  }

  private static let words: [String: StageWord] = {
    var words: [String: StageWord] = [:]
    for word in StageWord.all + others { words[letters(of: word.word)] = words[letters(of: word.word)] ?? word }
    return words
  }()

  private static let others = [
    StageWord("updateCheck", .check), StageWord("checkForUpdate", .check), StageWord("checked", .check),
    StageWord("downloading", .downloadStarted), StageWord("downloaded", .downloadCompleted),
    StageWord("downloadFinished", .downloadCompleted), StageWord("downloadComplete", .downloadCompleted),
    StageWord("downloadFailed", .failed, reason: "download"), StageWord("updateDownloaded", .downloadCompleted),
    StageWord("updateInstalled", .ready), StageWord("staged", .ready), StageWord("pending", .ready),
    StageWord("updateFailed", .failed), StageWord("installFailed", .failed, reason: "install"),
    StageWord("updateConfirmed", .confirmed), StageWord("stable", .confirmed), StageWord("rolledBack", .rolledBack),
    StageWord("updateRolledBack", .rolledBack), StageWord("crash", .crashed), StageWord("dismissed", .dismissed),
    StageWord("silentPushReceived", .pushReceived), StageWord("pushArrived", .pushReceived),
    StageWord("silentPushSent", .pushSent),
  ]
}

/// The Latin letters of a word, in lower case: what is left where taste in spelling is taken away.
func letters(of word: String) -> String {
  String(decoding: word.utf8.lazy.map { $0 &- 65 < 26 ? $0 | 0x20 : $0 }.filter { $0 &- 97 < 26 }, as: UTF8.self)
}
