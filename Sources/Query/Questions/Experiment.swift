import Console
import Lifecycle
public import Statistics

/// A random experiment that the app runs, such as a push hold-out: whole arms compared, whatever delivered.
///
/// Devices stay in the arm that they named when they became eligible, or before they had to do with the release (intention to treat), so
/// a difference is an effect of the assignment. Who first named one later is in none.
public struct Experiment: Encodable, Sendable {
  public struct Age: Encodable, Sendable {
    public var seconds: Int64
    public var share: Estimate
  }
  public struct Arm: Encodable, Sendable {
    public var arm: String
    /// nil, as all that is said of the arm, where it has fewer devices than may be shown.
    @Nullable public var devices: Int?
    @Nullable public var events: Int?
    public var ages: [Age]
    public var median: Estimate
  }
  /// An arm less the reference.
  public struct Comparison: Encodable, Sendable {
    public var arm: String
    public var reference: String
    public var logRank: LogRankRow
    public var shares: [Age]
    /// The same with limits that hold at all looks together: who looks daily, and stops when they say something, errs no more
    /// often than the level says.
    public var always: [Age]
    /// Mean time without the update; negative is faster.
    public var restrictedMeans: [TimeToUpdate.RestrictedMean]
  }
  /// The arm named control, holdout or hold-out; else the first by name. nil where nobody is in any.
  @Nullable public var reference: String?
  public var arms: [Arm]
  public var comparisons: [Comparison]
  /// nil where an arm is withheld: its devices would be the rest.
  @Nullable public var withoutArm: Int?
  /// Those of them that named one only with the release, or later. nil where they are fewer than may be shown.
  @Nullable public var namedLate: Int?
  /// Whether the arms have the devices that they should have; null where there are too few to tell.
  @Nullable public var sampleRatio: Ratio?

  /// A test of the assignment itself: where it is off, a difference between arms is no effect.
  public struct Ratio: Encodable, Sendable {
    /// Against the shares that were planned, else between the arms' platforms.
    public enum Against: String, CaseIterable, Encodable, Sendable { case plan, platforms }
    public var against: Against
    /// nil where names alone tell that arms are off, and where an arm is withheld.
    @Nullable public var significance: Significance?
    /// Arms that devices name and nobody planned, and planned ones that none names.
    public var unplanned: [String]
    public var missing: [String]
    public var isOff: Bool
  }
}

extension LogRankRow {
  /// Fills in Holm's adjustment over one answer's tests.
  static func adjust<Row>(_ rows: inout [Row], _ path: WritableKeyPath<Row, LogRankRow>) {
    let family = holm(rows.map { $0[keyPath: path].significance.map { PValue(log10: $0.log10) } })
    for index in rows.indices { rows[index][keyPath: path].adjusted = family[index].map(Significance.init) }
  }
}
