internal import Console
internal import Query

/// Which releases have a row: the newest, and of each channel its newest few, or a month of nightly builds would be all there is to see.
struct ShownReleases {
  var rows: [Releases]
  var others: [Releases]

  /// - Parameter all: newest first, as what is made of them.
  init(_ all: [Releases], _ detail: PageDetail) {
    let chosen = NewestOfEach.chosen(all.map(\.channel), atMost: detail.rows)
    rows = all.indices.filter(chosen.contains).map { all[$0] }
    others = all.indices.filter { !chosen.contains($0) }.map { all[$0] }
  }

  /// Nothing where all have one.
  var remark: HTML {
    guard !others.isEmpty else { return "" }
    let all = grouped(rows.count + others.count)
    return note(
      "\(grouped(rows.count)) of \(all) are shown: of each channel the newest, then the newest of all. The others are below."
    )
  }
}

extension UnpagedReleases {
  /// Which have pages, and how to see the others.
  var remark: HTML {
    let verb = count == 1 ? "release has" : "releases have"
    return note(
      """
      \(grouped(count)) \(verb) no page: pages are of the newest \(grouped(newest)), of each channel's newest three, \
      and of what at least 1% of devices in contact run. <code>uptake releases</code> has a row of each, \
      <code>uptake verdict RELEASE</code> tells of one, and <code>uptake report --newest 0</code> makes pages of all.
      """)
  }
}

extension PageDetail {
  /// A row with its curve is some 900 bytes.
  var rows: Int {
    switch self {
    case .full: 30
    case .coarse: 20
    case .least: 12
    }
  }

  /// Of releases without a row so many have a link.
  var links: Int {
    switch self {
    case .full: .max
    case .coarse: 150
    case .least: 40
    }
  }
}
