internal import Glibc

/// `--verbose`: by which files and settings a run goes, and what it took, on standard error.
extension Invocation {
  func telling(_ run: (Invocation) throws -> ExitCode) throws -> ExitCode {
    let begin = ContinuousClock.now
    try note(settings.configuration.files.map { "reads \($0.path)" } + settingLines)
    defer { try? note([Self.cost(since: begin)]) }
    return try run(self)
  }

  /// `goes by --db /data/fleet.db (UPTAKE_DB)`: what nobody typed, and is no default.
  private var settingLines: [String] {
    (command.options + Option.common).compactMap { option in
      guard let setting = settings.setting(option) else { return nil }
      switch setting.origin {
      case .flag, .fallback: return nil
      case .environment, .file: return "goes by --\(option.name) \(setting.shown) (\(setting.origin.words))"
      }
    }
  }

  /// Of this process; those that it started are not counted.
  private static func cost(since begin: ContinuousClock.Instant) -> String {
    var usage = rusage()
    unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    let passed = decimal((ContinuousClock.now - begin) / .seconds(1), 2)
    let worked = decimal(seconds(usage.ru_utime) + seconds(usage.ru_stime), 2)
    return "took \(passed) s, \(worked) s of a processor and \(grouped(usage.ru_maxrss / 1024)) MiB of memory at most"
  }
}

extension Setting {
  /// An address may hold a password.
  fileprivate var shown: String {
    let text = texts.joined(separator: ",")
    return option.isSecret || text.contains("://") && text.contains("@") ? "(withheld)" : text
  }
}
