internal import Answers
internal import Console
internal import HTTP
internal import Lifecycle
internal import Store

/// `GET /v1/audit`: who did what to the key's app. Entries of the whole service are of no app: of them only the command line
/// tells, and a service without keys.
@Sendable func tellAudit(_ service: Service, _ call: Call, _ responder: Responder) {
  service.desk.take(responder) {
    service.response {
      let entries = try call.auditTrail().entries(path: service.settings.path)
      return .json(try auditPresentation(entries).text() + "\n")
    }
  }
}

extension Call {
  fileprivate func auditTrail() throws -> AuditTrail {
    try request.target.requireWhole()
    var (trail, given) = (AuditTrail(app: app, limit: 100), Set<String>())
    for (name, value) in request.target.queryItems {
      guard given.insert(name).inserted else { throw BadForm(name, "\(name) is given twice") }
      switch name {
      case "app":
        guard app ?? value == value else { throw BadForm("app", "the key is for another app", status: 403) }
        trail.app = value
      case "since": trail.since = try instant(name, value)
      case "until": trail.until = try instant(name, value)
      case "last":
        guard let last = Int(value), (1...100_000).contains(last) else {
          throw BadForm("last", "last is a number from 1 to 100000")
        }
        trail.limit = last
      default: throw BadForm(name, "there is no parameter \"\(name)\"; known: app, since, until, last")
      }
    }
    if let since = trail.since, let until = trail.until, until <= since {
      throw BadForm("until", "until: \(until.rfc3339) is not after since, \(since.rfc3339)")
    }
    return trail
  }

  private func instant(_ name: String, _ text: String) throws(BadForm) -> Timestamp {
    try requirePlus(name, text)
    guard let instant = try? Timestamp(rfc3339: text), instant.isPermitted else {
      throw BadForm(name, "\(name) is a time such as 2025-03-01T08:00:00Z")
    }
    return instant
  }
}

extension Service {
  /// Notes with which settings the service begins. One that cannot write serves on: it says so with every event, too.
  public func noteStart(_ settings: [(name: String, text: String)]) {
    do {
      try registry.noteStart(settings.map { .init($0.name, $0.text) }, now: now)
    } catch {
      journal.write(.error, "start_not_noted", ["reason": .string("\(error)")])
    }
  }
}
