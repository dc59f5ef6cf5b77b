internal import Query

/// From a release's page to the same release on other channels, and to the releases before and after it on its channel.
extension Site {
  func ways(_ release: ReleaseAnswers, _ answers: SiteAnswers, _ root: HTML) -> HTML {
    tabs(release, answers, root) + neighbours(release, answers, root)
  }

  private func tabs(_ release: ReleaseAnswers, _ answers: SiteAnswers, _ root: HTML) -> HTML {
    let all = answers.pages.filter { $0.facts.label == release.facts.label }
      .sorted { channelsInOrder($0.facts.channel, $1.facts.channel) }
    guard all.count > 1 else { return "" }
    let items = all.map { page -> HTML in
      let mark: HTML = page.facts.channel == release.facts.channel ? " aria-current=\"page\"" : ""
      let badge = page.standing.verdict.data.first?.badge ?? ""
      return "<a href=\"\(root)\(page.standing.path)\"\(mark)>\(Name(page.facts.channel).html(atMost: 24)) \(badge)</a>"
    }
    return "<nav class=tabs aria-label=\"Channels\">\(items.joined("\n"))</nav>"
  }

  private func neighbours(_ release: ReleaseAnswers, _ answers: SiteAnswers, _ root: HTML) -> HTML {
    let same = answers.pages.filter { $0.facts.channel == release.facts.channel }
    guard let index = same.firstIndex(where: { $0.facts.label == release.facts.label }) else { return "" }
    let before = index + 1 < same.count ? link("Before", "prev", same[index + 1], root) : ""
    let after = index > 0 ? link("After", "next", same[index - 1], root) : ""
    let links = [before, after].filter { !$0.isEmpty }
    return links.isEmpty ? "" : "<nav aria-label=\"Releases before and after\">\(links)</nav>"
  }

  private func link(_ words: HTML, _ relation: HTML, _ page: ReleaseAnswers, _ root: HTML) -> HTML {
    "<a rel=\"\(relation)\" href=\"\(root)\(page.standing.path)\">\(words): \(Name(page.facts.label).html(atMost: 30))</a>"
  }
}

/// `production` before all others, which stand by name.
public func channelsInOrder(_ one: String, _ other: String) -> Bool {
  (one != "production" ? 1 : 0, one) < (other != "production" ? 1 : 0, other)
}

extension SiteAnswers {
  /// Of the newest release of each channel the one that fares worst; of equals the first.
  var worst: Standing? {
    let ranks = ["bad", "warn", "calm", "good"]
    return current.enumerated().filter { $0.element.verdict.data.first != nil }.min { one, other in
      let rank = { (standing: Standing) in ranks.firstIndex(of: standing.verdict.data.first?.style ?? "") ?? 4 }
      return (rank(one.element), one.offset) < (rank(other.element), other.offset)
    }?.element
  }
}
