extension Snapshot {
  /// Whether devices have said what they are, and each that they are emulators. Of a fleet the first row that is read tells.
  ///
  /// - Parameter app: nil for all apps.
  public func areAllEmulators(of app: String?) throws(StoreError) -> Bool {
    guard isFile, !(try hasContext(of: app, isEmulator: false)) else { return false }
    return try hasContext(of: app, isEmulator: true)
  }

  private func hasContext(of app: String?, isEmulator: Bool) throws(StoreError) -> Bool {
    try connection.prepare(
      """
      SELECT 1 FROM context c JOIN profile p ON p.id = c.profile
      WHERE (?1 IS NULL OR c.app = ?1) AND coalesce(p.emulator, 0) = ?2 LIMIT 1
      """
    ).first(.optional(app), .integer(isEmulator ? 1 : 0)) { _ in true } ?? false
  }
}
