internal import Answers
internal import Console
internal import Glibc
internal import Lifecycle
internal import Store

private extension Option {
  static let to = Option(
    "to", .text, value: "DIR|s3://BUCKET/PREFIX|exec:COMMAND", help: "Where the copy lies, on another machine or disk")
  static let every = Option("every", .duration, fallback: "1s", help: "How often what is new is sent")
  static let once = Option("once", help: "Bring the copy up to now, and end")
}

extension Option {
  static let keepCopies = Option(
    "keep", .duration, fallback: "7d", help: "How far back the copy can be restored; what is older is removed from it")
}

extension Command {
  static let replicate = Command(
    "replicate", group: "OPERATIONS", purpose: "Keep a second copy of a database as it changes",
    discussion: """
      First every page, then every second what was written since: an increment costs what changed, however large the database \
      is. Each part carries checksums and is whole or not there; uptake restore puts the newest state in place, or that of \
      a moment. It contains the keys that ids are hashed with: keep it like a secret. Archives of uptake retain are \
      not part of it. uptake serve --replicate does this all the time. For s3:// the credentials are those of AWS's own tools: \
      AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION, AWS_ENDPOINT_URL. exec: gets each object on its standard input, its \
      name in UPTAKE_OBJECT.
      """,
    options: [.database, .to, .every, .once, .keepCopies],
    examples: [
      .init("To a mounted disk, until ended", "uptake replicate --to /mnt/other/uptake --db /var/lib/uptake/uptake.db"),
      .init("To another machine", "uptake replicate --to 'exec:ssh other sh store-copy'"),
      .init("Put it in place again", "uptake restore /mnt/other/uptake --db uptake.db"),
    ],
    exits: [.databaseUnusable], seeAlso: ["restore", "backup", "serve"]
  ) { invocation in
    var settings = Replicator.Settings()
    settings.keeps = invocation.milliseconds(.keepCopies) ?? settings.keeps
    let replicator = try Replicator(
      of: try invocation.databasePath(), to: try copyTarget(try invocation.text(needed: .to)), settings
    ) { Timestamp(rawValue: Instant.now().rawValue) }
    RunningCommand.endWithProcess()
    if invocation.flag(.once) {
      let step = try replicator.run()
      try invocation.note(step.began)
      try invocation.note(["\(step.pages) pages, \(step.bytes) bytes went to \(replicator.target.address)"])
      return .done
    }
    try invocation.keepUp(replicator, every: Double(invocation.duration(.every)?.rawValue ?? 1000) / 1000)
  }
}

extension Replicator.Step {
  fileprivate var began: [String] {
    missing.map { ["part \($0) of the copy is no longer there: all pages were sent again"] } ?? []
  }
}

extension Invocation {
  /// A target that cannot be reached is tried again, less and less often.
  fileprivate func keepUp(_ replicator: Replicator, every: Double) throws -> Never {
    var pause = every
    var isFailing = false
    while true {
      do throws(StoreError) {
        let step = try replicator.run()
        try? note(step.began)
        if isFailing { try? note(["the copy is up to date again"]) }
        (pause, isFailing) = (every, false)
      } catch {
        replicator.letGo()
        (pause, isFailing) = (min(max(1, 2 * pause), 60), true)
        try note(["\(error.description); tried again in \(Int(pause)) s"])
      }
      let rest = max(pause, 0.05)
      var time = timespec(tv_sec: Int(rest), tv_nsec: Int(rest.truncatingRemainder(dividingBy: 1) * 1_000_000_000))
      nanosleep(&time, nil)
    }
  }
}
