import CSodium
public import Lifecycle

/// What has to stand in a publication's place for a change to happen: the preconditions of RFC 9110, 13.1.
public struct PublicationCondition: Sendable {
  public enum Tags: Equatable, Sendable {
    /// Whatever is registered there.
    case any
    case these([String])
  }
  /// What is registered there is one of these.
  public var match: Tags?
  /// What is registered there is none of these.
  public var noneMatch: Tags?

  public init(match: Tags? = nil, noneMatch: Tags? = nil) { (self.match, self.noneMatch) = (match, noneMatch) }

  public static let none = PublicationCondition()

  /// Nobody changed it since it was read, or registered one where there was none.
  public static func unchanged(since known: Publication?) -> PublicationCondition {
    known.map { PublicationCondition(match: .these([$0.tag])) } ?? PublicationCondition(noneMatch: .any)
  }

  public func holds(of known: Publication?) -> Bool {
    (match?.has(known) ?? true) && !(noneMatch?.has(known) ?? false)
  }
}

/// What became of a change that has a condition.
public enum PublicationChange: Equatable, Sendable {
  /// As it is registered now; of one that was withdrawn, as it was.
  case done(Publication)
  /// Nothing was changed.
  case refused(registered: Publication?)

  /// What is registered there; of one that was withdrawn, what was.
  public var registered: Publication? {
    switch self {
    case .done(let publication): publication
    case .refused(let publication): publication
    }
  }
}

/// A publication that was not registered, as something else stands in its place than was known.
public struct PublicationClash: Equatable, Sendable {
  public var publication: Publication
  /// nil where nothing is registered there.
  public var registered: Publication?
}

extension PublicationCondition.Tags {
  public func has(_ known: Publication?) -> Bool {
    guard let known else { return false }
    return switch self {
    case .any: true
    case .these(let tags): tags.contains(known.tag)
    }
  }
}

extension Publication {
  /// A hash of all that is registered: the same wherever the same is registered, and after a change another one.
  public var tag: String {
    // No name holds U+0000.
    let words =
      [app, release.rawValue, channel, platform ?? "", "\(publishedAt.rawValue)", "\(mandatory)"]
      + rollout.map { "\($0.at.rawValue) \($0.percent)" }
    let text = Array(words.joined(separator: "\0").utf8)
    var hash = [UInt8](repeating: 0, count: 16)
    crypto_generichash(&hash, hash.count, text, UInt64(text.count), nil, 0)
    return hash.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  /// With what a sender leaves to the one that is registered there.
  ///
  /// - Parameter halt: with the steps before it, where the registered one ends with one.
  public func keeping(time: Bool, halt: Bool, of known: Publication?) -> Publication {
    guard let known else { return self }
    var copy = self
    if time { copy.publishedAt = known.publishedAt }
    if halt, known.rollout.last?.percent == 0 { copy.rollout = known.rollout }
    return copy
  }
}
