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

extension QueryEcho {
  public init(_ selection: Selection, _ cutOff: CutOff, extra: [String: Value] = [:]) {
    self.init(
      [
        "app": .text(selection.app), "release": .text(selection.release.rawValue),
        "channel": .chosen(selection.channels),
        "platform": .chosen(selection.platforms), "by": .texts(selection.by.map(\.rawValue)),
        "estimand": .text(selection.estimand.rawValue), "clock": .text(selection.clock.rawValue),
        "censor": .text(selection.censor.rawValue), "attribution": .text(selection.attribution.rawValue),
        "reachWindowSeconds": .integer(selection.reachWindow.rawValue / 1000), "cutOff": .text(cutOff.at.rfc3339),
        "reportingLagSeconds": .integer(cutOff.lag.rawValue / 1000), "level": .number(selection.level),
        "now": .text(selection.now.rfc3339),
      ].merging(extra) { _, new in new })
  }
}
