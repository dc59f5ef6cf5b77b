import Lifecycle

/// The database's numbers for the strings of one batch.
struct ResolvedBatch: ~Copyable {
  let contexts: [Int64]
  private let batch: EventBatch
  private var names: [Int64]
  /// By name, for events of the batch's first app; other apps take the slow way.
  private var releases: [Int64]
  private let firstApp: String

  init(_ batch: EventBatch, _ interner: inout Interner) throws(StoreError) {
    var contexts: [Int64] = []
    for context in batch.contexts { contexts.append(try interner.context(context)) }
    self.contexts = contexts
    self.batch = batch
    names = Array(repeating: 0, count: batch.names.count)
    releases = names
    firstApp = batch.contexts.first?.app ?? ""
  }

  mutating func name(_ index: NameIndex, _ interner: inout Interner) throws(StoreError) -> Int64 {
    guard index != .none else { return EventRow.none }
    let place = Int(index.rawValue)
    if names[place] == 0 { names[place] = try interner.name(batch.names[place]) }
    return names[place]
  }

  mutating func release(_ index: NameIndex, _ context: UInt32, _ interner: inout Interner) throws(StoreError) -> Int64 {
    guard index != .none else { return EventRow.none }
    let place = Int(index.rawValue)
    let isFirstApp = context == 0 || batch.contexts[Int(context)].app == firstApp
    if isFirstApp, releases[place] != 0 { return releases[place] }
    let id = try interner.release(.init(app: batch.contexts[Int(context)].app, label: batch.names[place]))
    if isFirstApp { releases[place] = id }
    return id
  }
}
