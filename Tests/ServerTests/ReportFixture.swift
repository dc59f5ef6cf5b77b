import Console
import Foundation
import Lifecycle
import Report

@testable import Server

enum ReportFixture {
  static func keeper(
    _ folder: String, _ database: String, _ journal: ServiceLog,
    clock: @escaping @Sendable () -> Instant = ServedDatabase.clock
  ) -> ReportKeeper {
    ReportKeeper(
      .init(
        folder: folder, every: Console.Duration(rawValue: 3_600_000), pages: nil, database: database, version: "1"),
      journal: journal, clock: clock)
  }

  /// Every file and folder below, by its path.
  static func files(_ folder: String) -> [String] {
    (FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []).sorted()
  }
}
