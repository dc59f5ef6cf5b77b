import Console
import Lifecycle
import Store

extension Population {
  /// Part of the echo only where somebody is left out.
  var echo: [String: QueryEcho.Value] {
    var echo: [String: QueryEcho.Value] = [:]
    if leavesOutImpossible { echo["withoutImpossible"] = .flag(true) }
    if isAttested { echo["onlyAttested"] = .flag(true) }
    return echo
  }
}

/// Devices of an app whose histories are impossible.
struct ImpossibleDevices {
  /// By what made them so.
  var rules: [(rule: ImpossibleHistories.Rule, devices: Int)]
  /// About how many devices the app has.
  var of: Int
  /// Of a warehouse: the node that found most; others may have found some of them, or others.
  private(set) var node: String?

  var devices: Int { rules.reduce(0) { $0 + $1.devices } }
  /// Fewer cannot change a tenth of a percent of anything that is counted of all devices.
  static let fewest = 1000
  var areMany: Bool { devices > 0 && devices * Self.fewest >= of }

  /// `more than 2,000 events within a minute (3 devices)`, the most devices first.
  var reasons: [String] {
    rules.sorted { ($1.devices, $0.rule.rawValue) < ($0.devices, $1.rule.rawValue) }.map {
      "more than \(grouped(Int($0.rule.most))) \($0.rule.words) (\(counted($0.devices, "device")))"
    }
  }

  init() { (rules, of) = ([], 0) }

  /// - Parameter app: nil for all apps.
  init(_ snapshot: borrowing Snapshot, app: String?) throws {
    self.init()
    guard snapshot.isFile else {
      take(snapshot.vocabulary.impossible.filter { app == nil || $0.app == app })
      return
    }
    for app in app.map({ [$0] }) ?? snapshot.vocabulary.apps {
      let found = try snapshot.impossibleDevices(of: app)
      guard !found.isEmpty else { continue }
      rules += found
      of += try snapshot.foldedDevices(of: app)
    }
    let sums = Dictionary(rules.map { ($0.rule, $0.devices) }, uniquingKeysWith: +)
    rules = ImpossibleHistories.Rule.allCases.compactMap { rule in sums[rule].map { (rule: rule, devices: $0) } }
  }
}

extension ImpossibleDevices {
  private mutating func take(_ nodes: [ImpossibleAtNode]) {
    guard let most = nodes.max(by: { $0.count < $1.count }) else { return }
    rules = ImpossibleHistories.Rule.allCases.compactMap { rule in
      most.devices[rule].map { (rule: rule, devices: $0) }
    }
    (of, node) = (most.of, ShippingNode(number: most.node, hours: []).name)
  }

  /// ` at node 3fe` in a warehouse.
  var place: String { node.map { " at node \($0)" } ?? "" }
}

extension Snapshot {
  /// What a reader must know of devices that are counted and should perhaps not be, or are not.
  func populationWarnings(_ scope: some Scope) throws -> [Warning] {
    let (population, app) = (scope.population, scope.chosenApp)
    if !scope.includesEmulators, try areAllEmulators(of: app) {
      // Of a first hour: whoever tries a client out does so on an emulator.
      return [
        Warning(
          Warning.onlyEmulators,
          "every device says that it is an emulator, or that its build is not for users, and those are left out:"
            + " --emulators counts them")
      ]
    }
    if population.isAttested, try attestedDevices(of: app) == 0 {
      return [
        Warning(
          "nobody_attested", "no device is attested, so nobody is counted: uptake serve --attest has tokens verified")
      ]
    }
    guard population.isEverybody else { return [] }
    let found = try ImpossibleDevices(self, app: app)
    guard found.areMany else { return [] }
    let of = found.of > found.devices ? " of about \(grouped(found.of))" : ""
    return [
      Warning(
        "impossible_histories",
        "\(counted(found.devices, "device"))\(of)\(found.place) sent what no device can,"
          + " \(found.reasons.joined(separator: ", ")), and are counted: "
          + (found.node == nil
            ? "--without-impossible leaves them out, uptake doctor names one"
            : "uptake doctor names one there, and with --without-impossible answers of that node's file leave them out")
      )
    ]
  }
}
