public import Lifecycle
public import Store

/// What a channel gets at an instant. Where platforms got releases apart, that may be several.
extension Timeline {
  /// Registered before heard of, then the newest; of several that came at once one that devices speak of. nil where there is none.
  public func newest(on channel: String, platform: String? = nil, at instant: Timestamp) -> ReleaseRecord? {
    releases.compactMap { record in
      start(record.id, channel: channel, platform: platform).flatMap { start in
        start.publishedAt <= instant ? (record: record, start: start) : nil
      }
    }.max { Self.order($0.record, $0.start) < Self.order($1.record, $1.start) }?.record
  }

  private static func order(_ record: ReleaseRecord, _ start: Start) -> (Int, Timestamp, Int, String) {
    (start.isInferred ? 0 : 1, start.publishedAt, record.sightings.isEmpty ? 0 : 1, record.label.rawValue)
  }

  /// The newest of each platform, each once, the newest first.
  ///
  /// - Parameter some: only these platforms; all where there are none.
  public func current(on channel: String, platforms some: [String] = [], at instant: Timestamp) -> [ReleaseRecord] {
    let found = apart(on: channel, some).compactMap { newest(on: channel, platform: $0, at: instant) }
    let ids = Set(found.map(\.id))
    func published(_ record: ReleaseRecord) -> Timestamp? {
      apart(on: channel, some).compactMap { start(record.id, channel: channel, platform: $0)?.publishedAt }.min()
    }
    return releases.filter { ids.contains($0.id) }.sorted { (published($0) ?? instant) > (published($1) ?? instant) }
  }

  /// What those get whom the newest leaves out, while it is halted or short of 100 %: each one before it that more may have than all
  /// newer ones, up to one that all may have. The newest first; none where all may have the newest.
  func rests(on channel: String, platform: String?, at instant: Timestamp) -> [ReleaseRecord] {
    let newestFirst = newestFirst(on: channel, platform: platform, at: instant)
    var given = newestFirst.first?.start.percent(at: instant) ?? 0
    return newestFirst.dropFirst().filter { _, start in
      let percent = start.percent(at: instant) ?? 0
      defer { given = max(given, percent) }
      return percent > given
    }.map(\.record)
  }

  private func newestFirst(
    on channel: String, platform: String?, at instant: Timestamp
  ) -> [(record: ReleaseRecord, start: Start)] {
    let came = releases.compactMap { record in
      start(record.id, channel: channel, platform: platform).map { (record: record, start: $0) }
    }
    return came.filter { $0.start.publishedAt <= instant }
      .sorted { Self.order($0.record, $0.start) > Self.order($1.record, $1.start) }
  }

  /// Those before the newest one where nobody registered it, the newest first, two at most: a developer's device may be all that has the
  /// newest. None where platforms got releases apart.
  func beforeUnregistered(on channel: String, platforms some: [String], at instant: Timestamp) -> [ReleaseRecord] {
    let all = apart(on: channel, some)
    guard all.count == 1 else { return [] }
    let newestFirst = newestFirst(on: channel, platform: all[0], at: instant)
    return newestFirst.first?.start.isInferred == true ? newestFirst.dropFirst().prefix(2).map(\.record) : []
  }

  /// Likewise of each platform, each once.
  func rests(on channel: String, platforms some: [String], at instant: Timestamp) -> [ReleaseRecord] {
    let ids = Set(apart(on: channel, some).flatMap { rests(on: channel, platform: $0, at: instant).map(\.id) })
    return releases.filter { ids.contains($0.id) }
  }

  /// Whether devices still get a release though a newer one came.
  func isRest(_ id: Int64, on channel: String, platforms some: [String], at instant: Timestamp) -> Bool {
    rests(on: channel, platforms: some, at: instant).contains { $0.id == id }
  }

  /// On which platforms a release is judged: where it is the newest and devices may have it, else where it is the newest, else where it is
  /// what others get; none for all, and an empty name for devices that name none.
  ///
  /// - Parameter some: as above.
  public func judged(_ id: Int64, on channel: String, platforms some: [String], at instant: Timestamp) -> [String] {
    let all = apart(on: channel, some)
    let newest = all.filter { self.newest(on: channel, platform: $0, at: instant)?.id == id }
    let rest = all.filter { rests(on: channel, platform: $0, at: instant).contains { $0.id == id } }
    let own = (newest.isEmpty ? rest : newest).compactMap(\.self)
    let open = own.filter { !isHalted(id, channel: channel, platforms: [$0], at: instant) }
    let judged = open.isEmpty ? own : open
    if judged.isEmpty || judged.count == all.count { return some }
    return spelledOut(judged, of: all)
  }

  /// The platforms where a release is the newest and was halted while others get it; none where it was halted on all of them. An empty
  /// name is for devices that name none.
  func haltedApart(
    _ id: Int64, on channel: String, platforms some: [String], at instant: Timestamp
  ) -> [(platform: String, at: Timestamp)] {
    let all = apart(on: channel, some)
    let own = all.compactMap(\.self).filter { newest(on: channel, platform: $0, at: instant)?.id == id }
    let halted = own.compactMap { platform in
      haltedAt(id, channel: channel, platforms: [platform])
        .flatMap { $0 <= instant ? (platform: platform, at: $0) : nil }
    }
    if halted.count == own.count { return [] }
    return halted.flatMap { halt in spelledOut([halt.platform], of: all).map { (platform: $0, at: halt.at) } }
  }

  /// On which platforms a release came to a channel by an instant; none for all, and an empty name as above.
  func platforms(of id: Int64, on channel: String, at instant: Timestamp) -> [String] {
    let all = apart(on: channel, [])
    let own = all.filter { start(id, channel: channel, platform: $0).map { $0.publishedAt <= instant } ?? false }
    return own.isEmpty || own.count == all.count ? [] : spelledOut(own.compactMap(\.self), of: all)
  }

  /// With an empty name stand all that no publication names.
  private func spelledOut(_ some: [String], of all: [String?]) -> [String] {
    some.flatMap { $0.isEmpty ? platforms.subtracting(all.compactMap(\.self)).sorted() + [""] : [$0] }
  }

  /// When the next release came in its place everywhere; nil where it is still the newest on some platform.
  public func replacedAt(_ id: Int64, channel: String, platforms some: [String] = []) -> Timestamp? {
    let own = apart(on: channel, some).filter { start(id, channel: channel, platform: $0) != nil }
    let ends = own.map { supersededAt(id, channel: channel, platform: $0) }
    return ends.allSatisfy { $0 != nil } ? ends.compactMap(\.self).max() : nil
  }

  /// Whether it came there at all.
  func hasCome(_ id: Int64, to channel: String, platforms some: [String]) -> Bool {
    apart(on: channel, some).contains { start(id, channel: channel, platform: $0) != nil }
  }

  /// The platforms that may get other releases than others do; nil for all together, and an empty name for those that no publication names.
  private func apart(on channel: String, _ some: [String]) -> [String?] {
    if !some.isEmpty { return some }
    let named = Set(releases.flatMap(\.publications).filter { $0.channel == channel }.compactMap(\.platform))
    if named.isEmpty { return [nil] }
    return named.sorted() + (platforms.isSubset(of: named) ? [] : [""])
  }
}
