internal import Lifecycle

/// Prometheus' text format, one metric after another.
public struct MetricsText: Sendable {
  public private(set) var text = ""
  public init() {}

  public mutating func gauge(_ name: String, _ help: String, _ value: Double, _ labels: [(String, String)] = []) {
    head(name, help, "gauge")
    line(name, labels, number(value))
  }

  public mutating func gauge(
    _ name: String, _ help: String, labels names: [String], rows: [(labels: [String], value: Double)]
  ) {
    head(name, help, "gauge")
    for (values, value) in rows { line(name, Array(zip(names, values)), number(value)) }
  }

  public mutating func gauge(_ name: String, _ help: String, rows: [(labels: [(String, String)], value: Double)]) {
    head(name, help, "gauge")
    for row in rows { line(name, row.labels, number(row.value)) }
  }

  public mutating func counter(_ name: String, _ help: String, labels names: [String], _ counter: Counter) {
    self.counter(name, help, labels: names, rows: counter.snapshot)
  }

  public mutating func counter(
    _ name: String, _ help: String, labels names: [String], rows: [(labels: [String], count: Int)]
  ) {
    head(name, help, "counter")
    for (values, count) in rows { line(name, Array(zip(names, values)), String(count)) }
  }

  public mutating func counter(_ name: String, _ help: String, _ count: Int) {
    head(name, help, "counter")
    line(name, [], String(count))
  }

  public mutating func histogram(
    _ name: String, _ help: String, _ histogram: Histogram, _ labels: [(String, String)] = []
  ) {
    head(name, help, "histogram")
    let snapshot = histogram.snapshot
    for (bound, count) in zip(histogram.bounds, snapshot.cumulative) {
      line(name + "_bucket", labels + [("le", number(bound))], String(count))
    }
    line(name + "_bucket", labels + [("le", "+Inf")], String(snapshot.count))
    line(name + "_sum", labels, number(snapshot.sum))
    line(name + "_count", labels, String(snapshot.count))
  }

  private mutating func head(_ name: String, _ help: String, _ type: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
  }

  private mutating func line(_ name: String, _ labels: [(String, String)], _ value: String) {
    let list = labels.map { "\($0.0)=\"\(escaped($0.1))\"" }.joined(separator: ",")
    text += list.isEmpty ? "\(name) \(value)\n" : "\(name){\(list)} \(value)\n"
  }

  /// Scalar by scalar: to Swift a line feed after a carriage return, or a quote below an accent, is another character. What
  /// could drive a terminal or hide text is made visible, as in `export openmetrics`.
  private func escaped(_ value: String) -> String {
    value.unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "\\": text += "\\\\"
      case "\"": text += "\\\""
      case "\n": text += "\\n"
      case "\r": text += "\\\\r"
      case "\t": text += "\\\\t"
      case _ where scalar.isHarmful: text += "\\\\u{" + String(scalar.value, radix: 16) + "}"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }

  private func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)
  }
}
