import Lifecycle

/// What was asked, as the answer repeats it.
public struct QueryEcho: Encodable, Sendable {
  public enum Value: Encodable, Equatable, Sendable {
    case none
    case text(String)
    case texts([String])
    case numbers([Int64])
    case number(Double)
    case integer(Int64)
    case flag(Bool)

    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .none: try container.encodeNil()
      case .text(let text): try container.encode(text)
      case .texts(let texts): try container.encode(texts)
      case .numbers(let numbers): try container.encode(numbers)
      case .number(let number): try container.encode(number)
      case .integer(let number): try container.encode(number)
      case .flag(let flag): try container.encode(flag)
      }
    }

    /// Nothing for all, a text for one, a list for several.
    public static func chosen(_ texts: [String]) -> Value {
      texts.isEmpty ? .none : texts.count == 1 ? .text(texts[0]) : .texts(texts)
    }
  }
  public var fields: [String: Value]
  public init(_ fields: [String: Value]) { self.fields = fields }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: TextKey.self)
    for (name, value) in fields { try container.encode(value, forKey: TextKey(name)) }
  }
}

extension Selection: Scope {
  public var chosenApp: String? { app }

  public func echo(_ end: CutOff) -> [String: QueryEcho.Value] {
    [
      "app": .text(app), "release": .text(release.rawValue), "channel": .chosen(channels),
      "platform": .chosen(platforms), "where": .texts(only.map(\.text)),
      "by": .texts(by.map(\.rawValue)), "estimand": .text(estimand.rawValue),
      "clock": .text(clock.rawValue), "censor": .text(censor.rawValue), "attribution": .text(attribution.rawValue),
      "reachWindowSeconds": .integer(reachWindow.rawValue / 1000), "cutOff": .text(end.at.rfc3339),
      "reportingLagSeconds": .integer(end.lag.rawValue / 1000), "level": .number(level), "now": .text(now.rfc3339),
    ]
  }
}
