internal import Answers
internal import Console
internal import HTTP
internal import Server

extension Invocation {
  /// What a service would refuse of its settings, all of it; no port, database or folder is touched.
  func refusedSettings() -> [Failure] {
    Self.settingChecks.compactMap { check in
      do { try check(self) } catch {
        return located(error as? Failure ?? explain(error) ?? Failure("unexpected", "\(error)", exit: .usage))
      }
      return nil
    }
  }

  private static let settingChecks: [@Sendable (Invocation) throws -> Void] = [
    { try KeysFile.check($0) },
    { _ = try $0.text(.listen).map { text throws(ListenError) in try ListenAddress(text) } },
    { _ = try $0.tls() },
    { try $0.checkLimits() },
    { _ = try $0.trustedProxies() },
    { _ = try $0.allowedOrigins() },
    { _ = try Upstream($0.texts(.upstream), version: $0.program.version) },
    { try $0.checkRetention() },
    { _ = try $0.judgingTexts() },
    { try $0.checkReports() },
    { _ = try $0.awaitedShipments() },
    { if $0.text(.ship) != nil { _ = try $0.warehouse(.ship) } },
    { if let address = $0.text(.replicate) { _ = try copyTarget(address) } },
    { _ = try $0.exportEntries() },
  ]

  /// With the line of the file that says it, where one does; all of it is a wrong setting here.
  private func located(_ failure: Failure) -> Failure {
    var failure = failure
    failure.exit = .usage
    let option = command.options.first { "--" + $0.name == failure.place }
    guard let option, let setting = settings.setting(option), case .file = setting.origin else { return failure }
    failure.place = "\(setting.origin.words): \(option.key ?? option.name)"
    return failure
  }

  /// What a service runs with, and somebody may have meant otherwise.
  var settingWarnings: [String] {
    let idle = idleRetention.map {
      "--\($0.name) is ignored: nothing says which events are old; add --retain-raw AGE, such as 30d"
    }
    return openFileWarnings() + exportWarnings + [idle, idleObjective].compactMap(\.self)
  }

  /// What a start is refused for that only the database knows, which is not opened here.
  var startConditions: [String] {
    guard let text = text(.listen), let address = try? ListenAddress(text) else { return [] }
    if case .inherited = address { return [] }
    guard !address.isLocal else { return [] }
    let command = ShellCommand("uptake", "key", "list").option("db", "FILE")
    return [
      "others than this machine reach \(address): uptake serve starts there only where its database has keys; \(command) names them"
    ]
  }

  /// Values with which nothing would be taken or answered.
  func checkLimits() throws(Failure) {
    let useless: [(option: Option, effect: String)] = [
      (.maxBody, "every event would be refused"), (.maxInflated, "every compressed event would be refused"),
      (.questionTimeout, "no question would be answered"), (.headerTimeout, "no request would be read"),
      (.bodyTimeout, "no event would be read"),
    ]
    for (option, effect) in useless where values(of: option).last == option.nothing {
      throw Failure(
        "too_small", "with 0 \(effect)", place: "--\(option.name)",
        hints: ["leave it out for \(option.fallback ?? "its default")"], exit: .usage)
    }
  }

  var reportEvery: Console.Duration { duration(.reportEvery) ?? Console.Duration(rawValue: 300_000) }

  /// Faults in own pages are told now, not in a log later.
  func checkReports() throws {
    guard text(.reports) != nil else {
      guard text(.pages) == nil else {
        throw Failure(
          "pages_unused", "own pages are not made without --reports", place: "--pages", hints: ["add --reports DIR"],
          exit: .usage)
      }
      return
    }
    guard reportEvery.seconds >= 1 else {
      throw Failure("too_often", "pages are made once a second at most", place: "--report-every", exit: .usage)
    }
    // A folder of pages that cannot be read stops the service before it starts.
    _ = try SiteFolder.site(pages: text(.pages))
  }
}

extension Option {
  /// Nothing at all, as a value of its kind.
  fileprivate var nothing: Value { kind == .size ? .integer(0) : .duration(Console.Duration(rawValue: 0)) }
}
