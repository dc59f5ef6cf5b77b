import Locks
public import Lifecycle

/// When a publication of a file was last changed or taken back.
public struct ChangedPublication: Equatable, Sendable {
  public var place: PublicationPlace
  public var at: Timestamp

  public init(_ place: PublicationPlace, at: Timestamp) { (self.place, self.at) = (place, at) }
}

extension ShippingLog {
  /// By the audit, which came later than publications: what was never touched since is not among them. Who registers again
  /// what is registered, as a job that runs twice does, changes nothing.
  public func changedPublications() throws(StoreError) -> [ChangedPublication] {
    try connection.withLock { connection throws(StoreError) in
      try connection.prepare(
        """
        WITH entry AS (
          SELECT id, at, app, act || facts AS what, facts ->> '$.release' AS label, facts ->> '$.channel' AS channel,
            facts ->> '$.platform' AS platform FROM audit WHERE act IN ('publish', 'withdraw') AND app IS NOT NULL
        ), told AS (
          SELECT *, lag(what) OVER (PARTITION BY app, label, channel, platform ORDER BY id) AS before FROM entry
        )
        SELECT app, label, channel, platform, max(at) FROM told WHERE before IS NOT what
        GROUP BY app, label, channel, platform ORDER BY app, label, channel, platform
        """
      ).rows { row in
        let place = PublicationPlace(
          app: row.text(0), release: ReleaseLabel(rawValue: row.text(1)), channel: row.text(2),
          platform: row.optionalText(3))
        return ChangedPublication(place, at: Timestamp(stored: row.integer(4)))
      }
    }
  }
}
