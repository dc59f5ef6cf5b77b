import Lifecycle

/// An update check of Expo's client, as its headers tell it: what it runs, and which updates failed.
struct ExpoCheck {
  /// By the letters of their names, in lower case: `expocurrentupdateid`.
  private let headers: [String: String]
  private let at: Timestamp?

  init(headers: [String: String], at: Timestamp?) {
    self.headers = headers
    self.at = at
  }

  /// More failures than a client remembers are not believed.
  private static let failureLimit = 5

  /// None where the headers are no check of a device that says who it is.
  var drafts: [Draft] {
    guard let device = headers["easclientid"] else { return [] }
    var base = Draft(.check, device: device.lowercased(), release: running, at: at)
    base.app = headers["expoprojectid"] ?? headers["expoappid"]
    base.channel = headers["expochannelname"]
    base.platform = headers["expoplatform"]?.lowercased()
    base.appVersion = headers["exporuntimeversion"]
    base.trigger = headers["xuptaketrigger"].map(Trigger.init(loosely:))
    return [base] + failures(base)
  }

  private var running: String? {
    guard let current = headers["expocurrentupdateid"]?.lowercased() else { return nil }
    let embedded = headers["expoembeddedupdateid"]?.lowercased()
    return current == embedded ? Draft.storeBuild(headers["exporuntimeversion"] ?? current) : current
  }

  /// The client repeats failures with every check: each is one event of device and update. The error is told once only.
  private func failures(_ base: Draft) -> [Draft] {
    let fatal = headers["expofatalerror"]
    let failed = Self.list(headers["exporecentfailedupdateids"] ?? "").prefix(Self.failureLimit)
    var drafts = failed.map { update in
      var draft = base
      (draft.stage, draft.release, draft.reason) = (.rolledBack, update, "launch_failed")
      draft.id = Draft.identity(["failed", base.device, update])
      return draft
    }
    if let fatal {
      var draft = base
      (draft.stage, draft.release, draft.reason) = (.crashed, broken(Array(failed)), fatal)
      drafts.append(draft)
    }
    return drafts
  }

  /// What an error of the last start was of. On iOS it is one of the app's: of an update that failed to launch, newest first, or
  /// of the one that had launched well before and runs again. On Android it is one of the updates' own files or database, for which
  /// the app started without them: no update is to blame.
  private func broken(_ failed: [String]) -> String? {
    guard headers["expoplatform"]?.lowercased() != "android" else { return nil }
    if let running, failed.contains(running) { return running }
    return failed.first ?? running
  }

  /// `"uuid1", "uuid2"`
  private static func list(_ text: String) -> [String] {
    text.split(separator: ",").map { $0.lowercased().filter { $0.isHexDigit || $0 == "-" } }.filter { !$0.isEmpty }
  }
}

extension Draft {
  /// 32 digits that stand for the texts: for what a client repeats without an id. The store keys it again.
  static func identity(_ texts: [String]) -> String {
    let words: [UInt64] = [0xcbf2_9ce4_8422_2325, 0x9ae1_6a3b_2f90_404f].map { basis in
      texts.reduce(basis) { hash, text in
        (Array(text.utf8) + [0xFF]).reduce(hash) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
      }
    }
    return words.map(hexadecimal).joined()
  }
}
