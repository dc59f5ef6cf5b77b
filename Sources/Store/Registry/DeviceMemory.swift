public import Lifecycle

/// A word for each of many devices, in bounded memory that apps share: where it is full, the app with the most devices forgets its
/// oldest. So nobody who makes up devices of one app makes those of another forgotten.
///
/// Devices of an app lie in steps, in the order in which they were last heard. Remembering and looking cost a look into each step of
/// the app; an app that fills all of it has `steps` of them.
public struct DeviceMemory: Sendable {
  fileprivate struct App {
    /// The newest last.
    var steps: [[DeviceHash: String]] = [[:]]
    var count = 0
  }
  private var apps: [String: App] = [:]
  public private(set) var count = 0
  private let limit: Int
  private let step: Int

  /// - Parameters:
  ///   - limit: devices of all apps.
  ///   - steps: in so many parts the oldest are forgotten.
  public init(limit: Int, steps: Int = 16) { (self.limit, step) = (limit, max(1, limit / steps)) }

  /// With devices of which each is there once.
  init(_ words: [(device: DeviceHash, word: String)], app: String, limit: Int) {
    self.init(limit: limit)
    var loaded = App()
    for (device, word) in words.prefix(limit) { loaded.add(word, device, step) }
    count = loaded.count
    if count > 0 { apps[app] = loaded }
  }

  public func word(of device: DeviceHash, app: String) -> String? {
    apps[app]?.steps.reversed().lazy.compactMap { $0[device] }.first
  }

  /// Answers which devices were forgotten for it.
  @discardableResult
  public mutating func remember(_ word: String, of device: DeviceHash, app: String) -> [DeviceHash] {
    guard apps[app]?.steps.last?[device] != word else { return [] }
    forget(device, app: app)
    apps[app, default: App()].add(word, device, step)
    count += 1
    return count > limit ? makeRoom() : []
  }

  /// Answers whether there was something.
  @discardableResult
  public mutating func forget(_ device: DeviceHash, app: String) -> Bool {
    guard apps[app]?.remove(device) == true else { return false }
    count -= 1
    if apps[app]?.count == 0 { apps[app] = nil }
    return true
  }

  private mutating func makeRoom() -> [DeviceHash] {
    guard let largest = apps.max(by: { ($0.value.count, $1.key) < ($1.value.count, $0.key) })?.key,
      let oldest = apps[largest]?.removeOldest()
    else { return [] }
    count -= oldest.count
    if apps[largest]?.count == 0 { apps[largest] = nil }
    return oldest
  }
}

extension DeviceMemory.App {
  fileprivate mutating func add(_ word: String, _ device: DeviceHash, _ step: Int) {
    if steps[steps.count - 1].count >= step { steps.append([:]) }
    steps[steps.count - 1][device] = word
    count += 1
  }

  fileprivate mutating func remove(_ device: DeviceHash) -> Bool {
    for index in steps.indices.reversed() where steps[index].removeValue(forKey: device) != nil {
      count -= 1
      if steps[index].isEmpty, index < steps.count - 1 { steps.remove(at: index) }
      return true
    }
    return false
  }

  /// The step that was filled first. None is empty but the last.
  fileprivate mutating func removeOldest() -> [DeviceHash] {
    let oldest = Array(steps.removeFirst().keys)
    if steps.isEmpty { steps = [[:]] }
    count -= oldest.count
    return oldest
  }
}
