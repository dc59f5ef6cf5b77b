/// Whether bytes of removed rows may still lie in unused parts of the file.
///
/// Every writer of this version overwrites what it removes (`secure_delete`). A file that an older version wrote may hold
/// remnants from before; writing it anew once ends that.
enum Remnants {
  static func noneSinceCreation(_ connection: borrowing Connection) throws(StoreError) {
    try connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES ('clean', 1)")
  }

  static func mayExist(_ connection: borrowing Connection) throws(StoreError) -> Bool {
    try connection.integer("SELECT value FROM meta WHERE key = 'clean'") == 0
  }
}
