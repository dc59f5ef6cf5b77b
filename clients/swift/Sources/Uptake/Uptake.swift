import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Tells Uptake what becomes of over-the-air updates.
///
/// An event has its id and its time when it happens, lies on disk before anything is sent, and is removed once Uptake has
/// answered for it. What a resend repeats is recognised by its id. The rules are clients/cases.json, for all languages.
///
/// `@unchecked Sendable`: what varies is touched on `queue` alone, but for the scopes, which have a lock.
public final class Uptake: @unchecked Sendable {
  public struct Options: Sendable {
    /// Where Uptake is: `https://uptake.example.com`; a slash, `/v1` or `/v1/events` behind it are taken, too.
    public var url: URL
    /// An ingest key, which names the app, and the app's id; that only before the first key is made.
    public var key, app: String?
    /// A folder for this client alone, such as one in Application Support.
    public var folder: URL
    /// The version of the build from the store.
    public var appVersion: String
    /// The region is where the device is, such as a country.
    public var platform, osVersion, sdkVersion, channel, deviceModel, region: String?
    /// Tags are what the app tells its devices apart by, up to eight: `["plan": "pro"]`.
    /// The device is the one that another client of this installation made, as in an extension; nil: a random one.
    public var emulator: Bool?, experiment: Experiment?, device: String?, tags: [String: String]?
    /// What went wrong, for a log. The client goes on by itself.
    public var onProblem: (@Sendable (String) -> Void)?
    /// Events kept at most; the oldest are dropped and counted.
    public var capacity = 1000
    /// Milliseconds from an event to its sending, and of the first back-off.
    public var delay = 1000, retryBase = 5000
    /// Milliseconds that the work of a wake-up may take before it counts as expired; the system allows 30 s.
    public var budget = 25_000

    public init(url: URL, key: String? = nil, folder: URL, appVersion: String) {
      (self.url, self.key, self.folder, self.appVersion) = (url, key, folder, appVersion)
    }
  }

  private struct State: Codable {
    var device = Uptake.randomID, running: String?
    var dropped = 0, refused = 0, failures = 0, notBefore = 0
    /// Tells apart the addresses and keys that events went to.
    var target: Int?
  }

  /// A random id of this installation, made at its first start.
  public let device: String
  private let options: Options, arm: String?, folder: Folder
  private let queue = DispatchQueue(label: "uptake", qos: .utility), scopes = Guarded<[Scope]>([])
  private var state: State, lines: [Data], waiting: [@Sendable () -> Void] = [], timer: DispatchWorkItem?, due = 0
  private var removed = 0, limit = 100, isSending = false, isTorn = false, isClosed = false, task: URLSessionDataTask?

  /// One for a folder: two at once would remove each other's events. Throws where the folder cannot be read, as before a
  /// phone was unlocked for the first time: try again at the next entry. Reads on another thread.
  public static func open(_ options: Options) async throws -> Uptake {
    try await Task.detached(priority: .utility) { try Uptake(options) }.value
  }

  private init(_ options: Options) throws {
    self.options = options
    folder = try Folder(options.folder)
    let (kept, queued) = (try folder.read("state"), try folder.read("queue"))
    // What is no state, as after a loss of power, is that of a new device.
    let known = kept.flatMap { try? JSONDecoder().decode(State.self, from: $0) }
    if kept != nil, known == nil { options.onProblem?("storage: the state is broken; this counts as a new device") }
    state = known ?? State(device: options.device ?? Uptake.randomID)
    arm = options.experiment.flatMap { [id = state.device] in armOf(id, in: $0) }
    (device, lines) = (state.device, wholeLines(of: queued ?? Data()))
    queue.sync {
      // Nobody has asked to wait where the address or the key is another, as after a wrong one.
      let target = bucketOf(options.key ?? "", in: options.url.absoluteString)
      if state.target != target {
        (state.target, state.failures, state.notBefore) = (target, 0, 0)
        save()
      }
      if queued != text { remove(0) }
      if !lines.isEmpty { schedule(options.delay) }
    }
  }

  public func status() async -> (queued: Int, dropped: Int, refused: Int, failures: Int) {
    await onQueue { ($0.lines.count, $0.state.dropped, $0.state.refused, $0.state.failures) }
  }

  /// Returns once all that was recorded before is on disk.
  public func stored() async { await onQueue { _ in } }

  private func onQueue<Result: Sendable>(_ body: @escaping @Sendable (Uptake) -> Result) async -> Result {
    await withCheckedContinuation { done in queue.async { done.resume(returning: body(self)) } }
  }

  // MARK: entry points

  /// What is done in the background; what it comes to, or nil where the recorded stages say it.
  public typealias Work = @Sendable (Scope) async throws -> Outcome?

  /// The scope that was begun last and goes on; for callbacks that do not know theirs.
  public var current: Scope { scopes.with { $0.last } ?? Scope(self, .unknown) }

  /// At each start: what the app runs, nil for the build from the store. The first start of another release is its `applied`.
  public func started(_ running: String?, in scope: Scope? = nil) {
    let (release, scope, at) = (running ?? "store:\(options.appVersion)", scope ?? current, Uptake.now)
    queue.async { [self] in
      if running != nil, let before = state.running, before != release {
        scope.note(.applied)
        keep(line(.applied, scope.trigger, release, Details(from: before), at))
      }
      keep(line(.check, scope.trigger, release, Details(), at))
      // After the events: killed in between, `applied` is said again and counts once.
      state.running = release
      save()
    }
  }

  /// A push came. Where it woke the app the work is a wake-up, else it is the user's.
  @discardableResult public func silentPush(
    id: String? = nil, release: String? = nil, appState: AppState, appIsStarting: Bool, _ work: @escaping Work
  ) async -> Outcome {
    let scope = Scope(self, arrivalOrTap(appState, isStarting: appIsStarting), push: id)
    scope.record(.pushReceived, release) { ($0.appState, $0.appIsStarting) = (appState, appIsStarting) }
    scopes.with { $0.append(scope) }
    return await scope.trigger == .silentPush ? wakeUp(scope, work) : outcome(scope, work)
  }

  @discardableResult public func backgroundRefresh(_ work: @escaping Work) async -> Outcome {
    await wakeUp(Scope(self, .bgRefresh), work)
  }

  @discardableResult public func location(_ work: @escaping Work) async -> Outcome {
    await wakeUp(Scope(self, .location), work)
  }

  public func foreground<Result>(_ work: (Scope) async throws -> Result) async rethrows -> Result {
    let scope = beginForeground()
    defer { end(scope) }
    return try await work(scope)
  }

  /// For as long as the app is on screen: `current` is of the user's doing until `end`.
  public func beginForeground() -> Scope {
    let scope = Scope(self, .foreground)
    scopes.with { $0.append(scope) }
    queue.async { [self] in if !lines.isEmpty { schedule(options.delay) } }
    return scope
  }

  /// Sends what waits, as the system may soon suspend the app.
  public func end(_ scope: Scope) {
    leave(scope)
    queue.async { [self] in if !isSending { send() } }
  }

  /// For good, as where consent ends: once it returns nothing is written or sent any more, whatever is called. To `forget`
  /// removes what is kept, too: the next `open` is a new device. What cannot be removed is told; call it again.
  public func close(forget: Bool = false) async {
    await onQueue { uptake in
      (uptake.isClosed, uptake.lines) = (true, [])
      uptake.timer?.cancel()
      uptake.task?.cancel()
      if forget { _ = uptake.attempt { try uptake.folder.clear() } }
    }
  }

  private func leave(_ scope: Scope) { scopes.with { $0.removeAll { $0 === scope } } }

  private func wakeUp(_ scope: Scope, _ work: @escaping Work) async -> Outcome {
    let start = Uptake.now
    scope.record(.wakeStarted, await onQueue { $0.state.running })
    await stored()
    scopes.with { $0.append(scope) }
    let outcome = await within(options.budget, .expired) { await self.outcome(scope, work) }
    leave(scope)
    // Cancelled, it waits for the disk, and not for the network.
    scope.record(.wakeFinished) { ($0.outcome, $0.durationMs) = (outcome, max(0, Uptake.now - start)) }
    await stored()
    await within(4000, ()) { await self.flush() }
    return outcome
  }

  private func outcome(_ scope: Scope, _ work: Work) async -> Outcome {
    defer { leave(scope) }
    do {
      return try await work(scope) ?? scope.outcome
    } catch {
      options.onProblem?("the work of a wake-up failed: \(error)")
      return .failed
    }
  }

  // MARK: the queue

  func record(_ stage: Stage, _ trigger: Trigger, _ release: String?, _ details: Details) {
    let line = line(stage, trigger, release, details, Uptake.now)
    queue.async { [self] in keep(line) }
  }

  private func line(_ stage: Stage, _ trigger: Trigger, _ release: String?, _ details: Details, _ at: Int) -> Data? {
    // A clock that was never set says nothing: the time of receipt stands in.
    let fields: [String: Any?] = [
      "id": Uptake.randomID, "at": at < 946_684_800_000 ? nil : at, "device": device, "stage": stage.rawValue,
      "trigger": trigger.rawValue, "release": release, "app": options.app, "channel": options.channel,
      "platform": options.platform, "osVersion": options.osVersion, "appVersion": options.appVersion,
      "sdkVersion": options.sdkVersion, "emulator": options.emulator, "deviceModel": options.deviceModel,
      "region": options.region, "tags": options.tags?.mapValues(clean), "arm": arm, "reason": details.reason,
      "from": details.from, "bytes": details.bytes.map { max(0, $0) },
      "durationMs": details.durationMs.map { max(0, $0) }, "network": details.network, "push": details.push,
      "outcome": details.outcome?.rawValue, "appState": details.appState?.rawValue,
      "appIsStarting": details.appIsStarting,
    ]
    let said = fields.reduce(into: [String: Any]()) { $0[$1.key] = fit($1.key, $1.value) }
    return try? JSONSerialization.data(withJSONObject: said, options: .sortedKeys)
  }

  private func keep(_ line: Data?) {
    guard let line, !isClosed else { return }
    lines.append(line)
    schedule(options.delay)
    // Behind what a full disk has torn this line would be lost with it.
    if lines.count <= options.capacity, isTorn { return remove(0) }
    if lines.count <= options.capacity { return isTorn = !attempt { try folder.append("queue", line + [10]) } }
    let dropped = max(1, options.capacity / 10)
    options.onProblem?("\(dropped) of \(lines.count) events that wait were dropped, the oldest")
    state.dropped += dropped
    remove(dropped)
    save()
  }

  private var text: Data { Data(lines.flatMap { $0 + [10] }) }

  private func remove(_ count: Int) {
    lines.removeFirst(count)
    removed += count
    isTorn = !attempt { try folder.write("queue", text) }
  }

  private func save() { if !isClosed { _ = attempt { try folder.write("state", JSONEncoder().encode(state)) } } }

  /// Whether it was done.
  private func attempt(_ work: () throws -> Void) -> Bool {
    guard case .failure(let problem) = Result(catching: work) else { return true }
    options.onProblem?("storage: \(problem)")
    return false
  }

  private static var now: Int { Int(Date().timeIntervalSince1970 * 1000) }

  private static var randomID: String { UUID().uuidString.lowercased().replacingOccurrences(of: "-", with: "") }

  // MARK: sending

  /// Sends what is due; returns when nothing is, or when sending has to wait.
  public func flush() async {
    await withCheckedContinuation { done in
      queue.async { [self] in
        waiting.append { done.resume() }
        if !isSending { send() }
      }
    }
  }

  /// A time far ahead was written by a clock that has been set since.
  private var wait: Int { [state.notBefore - Uptake.now].first { 0...(25 * 3_600_000) ~= $0 } ?? 0 }

  private func send() {
    isSending = !lines.isEmpty && wait == 0
    guard isSending else {
      if !lines.isEmpty { schedule(0) }
      waiting.forEach { $0() }
      return waiting.removeAll()
    }
    let (batch, first) = (Array(lines.prefix(limit)), removed)
    Task {
      let answer = await within(15_000, Answer(status: 0, body: "no answer in time")) { await self.post(batch) }
      queue.async { [self] in
        if !isClosed { settle(answer, first: first, count: batch.count) }
        send()
      }
    }
  }

  /// Puts one that was refused alone behind the others; answers whether it is to be dropped instead.
  private func turn() -> Bool {
    // The spaces at its start say how often others got through before it came back.
    let (line, isOdd) = (lines[0], state.failures == 0)
    if isOdd, line.starts(with: Data("{  ".utf8)) { return true }
    lines.append(isOdd ? Data("{ ".utf8) + line.dropFirst() : line)
    remove(1)
    return false
  }

  private func settle(_ answer: Answer, first: Int, count: Int) {
    var verdict = answer.verdict(count: count)
    if verdict.next == .apart, count > 1 { return limit = (count + 1) / 2 }
    if verdict.next == .apart, first == removed, turn() { verdict = (1, 1, .go) }
    let (refused, said) = (verdict.refused, "(\(answer.status)): \(answer.body.prefix(500))")
    if refused > 0 { options.onProblem?("\(refused) of \(count) events refused \(said)") }
    state.refused += refused
    if [.apart, .retry, .rest].contains(verdict.next) { return rest(answer, verdict.next) }
    limit = verdict.next == .halve ? (count + 1) / 2 : min(100, limit * 2)
    let (hadFailed, gone) = (state.failures > 0, max(0, first + verdict.remove - removed))
    state.failures = 0
    if gone > 0 { remove(gone) }
    if hadFailed || refused > 0 { save() }
  }

  private func rest(_ answer: Answer, _ next: Answer.Next) {
    state.failures += 1
    let pause = answer.pause(next, failures: state.failures, random: .random(in: 0..<1), base: options.retryBase)
    state.notBefore = Uptake.now + pause
    options.onProblem?("\(lines.count) events wait \((pause + 999) / 1000) s after \(answer.cause)")
    save()
  }

  private func post(_ batch: [Data]) async -> Answer {
    var request = URLRequest(url: eventsAddress(options.url), timeoutInterval: 10)
    request.httpMethod = "POST"
    request.httpBody =
      Data("{\"sentAt\":\(Uptake.now),\"events\":[".utf8) + batch.joined(separator: [44]) + Data("]}".utf8)
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    if let key = options.key { request.setValue(key, forHTTPHeaderField: "X-Uptake-Key") }
    #if canImport(FoundationNetworking)
      // Swift's Foundation for Linux hangs where a connection is used again that the server has given up.
      request.setValue("close", forHTTPHeaderField: "Connection")
    #endif
    return await withCheckedContinuation { done in
      let task = Uptake.session.dataTask(with: request) { data, response, error in
        let answer = response as? HTTPURLResponse, after = answer?.value(forHTTPHeaderField: "Retry-After")
        let body = data.map { String(decoding: $0, as: UTF8.self) } ?? error?.localizedDescription ?? "no answer"
        done.resume(returning: Answer(status: data == nil ? 0 : answer?.statusCode ?? 0, body: body, retryAfter: after))
      }
      queue.async { [self] in
        self.task = task
        isClosed ? task.cancel() : task.resume()
      }
    }
  }

  /// Timers stand still while a device sleeps: one whose time has passed by the clock is not waited for.
  private func schedule(_ after: Int) {
    let (now, wait) = (Uptake.now, max(after, wait))
    if isClosed || now...(now + wait) ~= due { return }
    due = now + wait
    let next = DispatchWorkItem { [self] in
      due = 0
      if !isSending { send() }
    }
    timer?.cancel()
    timer = next
    queue.asyncAfter(deadline: .now() + .milliseconds(wait), execute: next)
  }

  private static let session = URLSession(configuration: .ephemeral, delegate: NoRedirects(), delegateQueue: nil)
}

/// What a network puts in between is told neither the events nor the key.
private final class NoRedirects: NSObject, URLSessionTaskDelegate {
  func urlSession(
    _: URLSession, task _: URLSessionTask, willPerformHTTPRedirection _: HTTPURLResponse, newRequest _: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) { completionHandler(nil) }
}
