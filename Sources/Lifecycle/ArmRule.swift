/// The arms of a random experiment, and the rule that assigns devices to them: the same that the clients of our own have.
public struct ArmRule: Equatable, Sendable {
  public struct Arm: Equatable, Sendable {
    public var name: String
    /// In hundredths of a per cent, of all devices.
    public var share: Int
  }

  public var experiment: String
  public var arms: [Arm]

  /// Reads `holdout:5,push:95`: names and per cents, at most 100 together, with spaces around them that do not count; nil where
  /// that is none.
  public init?(_ experiment: String, arms text: String) {
    var arms: [Arm] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let pieces = part.split(separator: ":", omittingEmptySubsequences: false).map(Self.trimmed)
      guard pieces.count == 2, !pieces[0].isEmpty, let percent = Double(pieces[1]), (0...100).contains(percent),
        !arms.contains(where: { $0.name == pieces[0] })
      else { return nil }
      arms.append(Arm(name: String(pieces[0]), share: Int((percent * 100).rounded())))
    }
    guard arms.reduce(0, { $0 + $1.share }) <= 10_000 else { return nil }
    (self.experiment, self.arms) = (experiment, arms)
  }

  private static func trimmed(_ text: Substring) -> Substring {
    let start = text.drop { $0.isWhitespace }
    return start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? ""
  }

  /// The arm of a device; nil where it is in none.
  ///
  /// - Parameter device: the id as the client knows it, never a hash of it.
  public func arm(of device: String) -> String? {
    let bucket = Self.bucket(of: device, in: experiment)
    var end = 0
    return arms.first { arm in
      end += arm.share
      return bucket < end
    }?.name
  }

  /// A number from 0 to 9,999 that a device keeps throughout an experiment: FNV-1a of `name:device`, mixed as in MurmurHash3.
  public static func bucket(of device: String, in experiment: String) -> Int {
    var hash = "\(experiment):\(device)".utf8.reduce(0x811c_9dc5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    hash = (hash ^ hash >> 16) &* 0x85eb_ca6b
    hash = (hash ^ hash >> 13) &* 0xc2b2_ae35
    return Int((hash ^ hash >> 16) % 10_000)
  }
}
