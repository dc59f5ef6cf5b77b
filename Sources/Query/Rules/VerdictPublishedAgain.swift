import Console
import Lifecycle

/// A release that most of its devices launched before it was published: an old one that was published again, or a label that was used twice.
extension VerdictEvidence {
  /// So long after the publication nothing is known of what happens now; then crashes that come late are counted of a whole day.
  private static let unknown = Milliseconds.days(1)

  private var launchedBefore: Int { launches.looks?.crashes.began.first ?? 0 }

  /// Whether what speaks for it is of a time before its publication.
  var isPublishedAgain: Bool {
    !isReplaced && !start.isInferred && start.publishedAt <= now && now - start.publishedAt < Self.unknown
      && launchedBefore * 2 > launches.launched
  }

  /// When that is over.
  var knownAgain: Timestamp { start.publishedAt + Self.unknown }

  /// - Parameter attempts: where these do not speak for it, nothing does.
  func publishedAgain(_ attempts: Verdict.Reason) -> Verdict.Reason? {
    guard isPublishedAgain, attempts.condition == .healthy else { return nil }
    return Verdict.Reason(
      .publication, .unsettled,
      "\(grouped(launchedBefore)) of \(counted(launches.launched, "device")) launched it before it was published on \(named(channel)) at"
        + " \(start.publishedAt.words): what they did then says nothing of now")
  }
}
