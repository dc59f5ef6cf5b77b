import CSQLite

extension Connection {
  /// Gives the mapped pages that were read back to the kernel, which keeps them for whoever wants them next; without it
  /// a reader of a large file looks as large as the file. Does nothing while a statement stands at a row.
  func letGoOfPages() {
    for limit: Int64 in [0, 1 << 40] {
      var limit = limit
      sqlite3_file_control(handle, "main", SQLITE_FCNTL_MMAP_SIZE, &limit)
    }
  }
}
