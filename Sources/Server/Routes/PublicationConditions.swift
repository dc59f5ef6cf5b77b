internal import Answers
internal import Console
internal import HTTP
internal import Lifecycle
internal import Store

extension PublicationCondition {
  /// `If-Match` and `If-None-Match` (RFC 9110, 13.1). What cannot be read is refused: taken for none, it would let a change through.
  init(_ headers: Headers) throws(BadForm) {
    let match = try EntityTag.list(headers, "If-Match")
    let noneMatch = try EntityTag.list(headers, "If-None-Match")
    self.init(match: match?.tags(comparing: .strongly), noneMatch: noneMatch?.tags(comparing: .weakly))
  }
}

extension Response {
  /// With the tag that a change of it may name.
  static func publication(_ publication: Publication, notes: [PublicationSlip] = []) -> Response {
    .json(publication.json(noting: notes).text(.compact) + "\n").with("ETag", publication.entityTag)
  }

  static func notRegistered(_ place: PublicationPlace) -> Response {
    .error(404, code: "not_registered", "\(place.release.rawValue) is not registered on \(place.words)")
  }

  /// A condition that does not hold: what stands there now, and what to do.
  static func unmet(_ condition: PublicationCondition, _ place: PublicationPlace, _ registered: Publication?)
    -> Response
  {
    guard let registered else {
      return .error(
        412, code: "changed_meanwhile",
        "\(place.release.rawValue) is not registered on \(place.words): to register it, send If-None-Match: * in place of If-Match"
      )
    }
    let now = "\(place.release.rawValue) on \(place.words) is \(registered.standing) now"
    let isNew = condition.noneMatch?.has(registered) == true
    return Response.error(
      412, code: isNew ? "registered_already" : "changed_meanwhile",
      isNew
        ? "\(now): it was registered already, and stays as it is; to correct it, send its ETag as If-Match in place of If-None-Match"
        : "\(now), which is not what If-Match names: nothing was changed; GET \(registered.path)?\(registered.query), decide anew, "
          + "and send its ETag as If-Match"
    ).with("ETag", registered.entityTag)
  }
}

extension Publication {
  var entityTag: String { "\"\(tag)\"" }

  /// When it was published, and its last step: a rollout may have a thousand.
  fileprivate var standing: String {
    let last = rollout.last.map { step in
      "\(step.percent == 0 ? "halted" : "in steps") (\(stepWords([step])), the last of \(rollout.count))"
    }
    return "published at \(publishedAt.words), \(last ?? "to everybody at once")"
  }
}

extension PublicationPlace {
  var words: String { [channel, platform].compactMap(\.self).joined(separator: "/") }
}

/// RFC 9110, 8.8.3.
private struct EntityTag {
  var isWeak: Bool
  var opaque: String

  enum List {
    case any
    case these([EntityTag])
  }

  /// nil where the header is not sent.
  static func list(_ headers: Headers, _ name: String) throws(BadForm) -> List? {
    let lines = headers.all(name)
    guard !lines.isEmpty else { return nil }
    var rest = lines.joined(separator: ",")[...]
    if rest.filter({ !isSeparator($0) }) == "*" { return .any }
    var tags: [EntityTag] = []
    while let tag = try EntityTag(&rest, name) { tags.append(tag) }
    guard !tags.isEmpty else { throw unreadable(name) }
    return .these(tags)
  }

  /// The next one behind commas; nil at the end.
  private init?(_ rest: inout Substring, _ name: String) throws(BadForm) {
    rest = rest.drop(while: Self.isSeparator)
    guard !rest.isEmpty else { return nil }
    isWeak = rest.hasPrefix("W/")
    let quoted = isWeak ? rest.dropFirst(2) : rest
    guard quoted.first == "\"", let end = quoted.dropFirst().firstIndex(of: "\"") else { throw Self.unreadable(name) }
    opaque = String(quoted[..<end].dropFirst())
    rest = quoted[quoted.index(after: end)...]
  }

  private static func isSeparator(_ character: Character) -> Bool { " \t,".contains(character) }

  private static func unreadable(_ name: String) -> BadForm {
    BadForm(
      name, "\(name) cannot be read: send * or tags with their quotes, as ETag says them, such as \(name): \"5f1c…\"")
  }
}

extension EntityTag.List {
  enum Comparison { case strongly, weakly }

  /// A weak tag never matches where bytes are to be the same.
  fileprivate func tags(comparing comparison: Comparison) -> PublicationCondition.Tags {
    switch (self, comparison) {
    case (.any, _): .any
    case (.these(let tags), .strongly): .these(tags.filter { !$0.isWeak }.map(\.opaque))
    case (.these(let tags), .weakly): .these(tags.map(\.opaque))
    }
  }
}
