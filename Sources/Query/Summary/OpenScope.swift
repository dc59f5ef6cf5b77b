import Lifecycle
import Store

/// The releases that an open summary tells of at a cutoff, and what is asked of devices for that.
struct OpenScope {
  /// Releases of which nothing but figures and counts is kept.
  let ended: [ReleaseRecord]
  /// Those of which there are tables.
  let targets: [ReleaseRecord]
  /// Whether all others have tables, so that it is counted what devices run.
  let isWhole: Bool
  let counting: CatalogueCounting
  private let published: [Int64: Int64]
  private let until: Timestamp
  /// Who names its bucket beyond the cutoff is unsettled for releases that ended in steps, too.
  private let columns: DeviceColumns

  /// Of more releases that have not ended `releases` is told from devices.
  private static let mostOpen = 8

  init(_ moment: OpenMoment) {
    let open = moment.timeline.releases.filter { !moment.hasEnded($0) }
    let ended = moment.timeline.releases.filter(moment.hasEnded)
    let targets = moment.told(open.count <= Self.mostOpen ? open : [])
    isWhole = open.allSatisfy { one in targets.contains { $0.id == one.id } }
    counting = CatalogueCounting(moment.risk(targets), of: isWhole ? open : [], keepsPending: true)
    (self.ended, self.targets, until) = (ended, targets, moment.until)
    published = moment.published(targets + ended)
    columns = moment.settled(ended).need.devices
  }

  var risk: RiskCounting { counting.risk }
  var need: Need {
    var need = counting.need
    need.devices.formUnion(columns)
    return need
  }

  /// Who was heard of since counts as reachable as long as the summary holds.
  var steadyAfter: Timestamp { until - risk.selection.reachWindow }

  /// Who was heard of since is settled whatever comes after it.
  var awakeAfter: Timestamp { until - min(risk.selection.reachWindow, HeardSpan.silence) }

  var start: OpenReleasesTally {
    let bucketed = need.journeys.filter { $1.contains(.buckets) }.keys
    let settling = Settling(
      at: risk.cutOff.at.rawValue, published: published, until: until.rawValue, bucketed: Set(bucketed))
    return OpenReleasesTally(counting.start, settling, isWhole: isWhole)
  }

  /// Whether the same is asked at another cutoff.
  func isAlike(_ other: OpenScope) -> Bool {
    ended.map(\.id) == other.ended.map(\.id) && targets.map(\.id) == other.targets.map(\.id)
      && isWhole == other.isWhole && risk.pairs == other.risk.pairs && published == other.published
  }
}
