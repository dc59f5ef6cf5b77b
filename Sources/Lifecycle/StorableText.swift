extension String {
  /// Whether the store can hold the text: it has no U+0000, where strings end for SQLite and for C.
  ///
  /// Decoders hold fields of events to the same rule where they read them; this is for texts that come by other ways.
  public var isStorable: Bool { !utf8.contains(0) }
}
