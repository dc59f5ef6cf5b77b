public import Lifecycle

/// A kind of receiver: what it wants to hear, what it needs to be told of, and how a fact becomes a request for it.
public struct ExportTarget: Sendable {
  /// What a receiver may need beside its place. The raw values are options, and keys of the configuration file.
  public enum Need: String, CaseIterable, Sendable {
    case organization, project, dataset, account, environment
    /// Where people find the pages.
    case pagesURL = "pages-url"
    /// How the app's releases are named there; `{app}`, `{release}` and `{channel}` are filled in.
    case releaseName = "release-name"
    /// Of OpenTelemetry's protocol.
    case encoding = "protocol"

    /// Those that tell one place from another, in the order in which its identity names them.
    static let ofIdentity: [Self] = [.organization, .project, .dataset, .account]
  }
  /// How the receiver wants to be treated.
  public struct RetryPolicy: Equatable, Sendable {
    /// Answers that say that it knows the fact already.
    public var known: Set<Int> = []
    /// The most bytes of a body, before packing.
    public var maxBody = 1_000_000
    /// Facts older than this many seconds are not taken, or are given another time.
    public var oldest: Int64?
  }

  public var name: String
  /// The vendor's name, as people write it.
  public var title: String
  public var kinds: Set<RolloutFact.Kind>
  /// The variable that usually holds its place, and the place where there is only one.
  public var placeVariable: String?
  public var defaultPlace: String?
  /// The variable that usually holds the secret; nil where none is needed.
  public var secretVariable: String?
  public var isSecretNeeded: Bool { name != "otlp" }
  /// The secret is the whole address, and there is no other.
  public var isWebhook = false
  public var needs: [Need] = []
  public var mayHave: [Need] = []
  public var manners = RetryPolicy()
  var parcel: @Sendable (RolloutFact, Destination, Timestamp) -> Parcel?

  /// The request that tells the fact; nil where the receiver is not told of such.
  public func parcel(_ fact: RolloutFact, to destination: Destination, sentAt: Timestamp) -> Parcel? {
    parcel(fact, destination, sentAt)
  }

  /// What it is never told of, of what somebody asks for; nil where there is nothing.
  public func inVain(_ wanted: Set<RolloutFact.Kind>) -> String? {
    func words(_ set: Set<RolloutFact.Kind>) -> String {
      RolloutFact.Kind.allCases.filter(set.contains).map(\.rawValue).joined(separator: ", ")
    }
    let vain = wanted.subtracting(kinds)
    return vain.isEmpty ? nil : "\(title) is never told of \(words(vain)); it is told of \(words(kinds))"
  }

  public static let all: [ExportTarget] = [
    .sentry, .sentryReleases, .sentryLogs, .otlp, .grafana, .datadog, .newRelic, .bugsnag, .rollbar, .honeycomb,
    .raygun, .slack, .teams, .discord,
  ]
  public static func named(_ name: String) -> ExportTarget? { all.first { $0.name == name } }
}

/// Where one receiver is and who we are there. Whatever prints it withholds the secret.
public struct Destination: Sendable {
  /// Such as `https://grafana.example.com`, without `/` at the end.
  public var place: String
  public var secret: String
  public var details: [ExportTarget.Need: String]
  /// This program and its version, such as `uptake/1.0`.
  public var client: String

  public init(
    place: String, secret: String = "", details: [ExportTarget.Need: String] = [:], client: String = "uptake"
  ) {
    self.place = place.hasSuffix("/") ? String(place.dropLast()) : place
    (self.secret, self.details, self.client) = (secret, details, client)
  }

  subscript(_ need: ExportTarget.Need) -> String? { details[need] }

  /// Which receiver it is, without any secret: what was sent there is remembered under this.
  public func identity(_ target: ExportTarget) -> String {
    let names = ExportTarget.Need.ofIdentity.compactMap { details[$0] }
    // Of an address that is long and random itself: it cannot be found from a part of its digest.
    let webhook = target.isWebhook ? [String(Digest(secret).hex.prefix(12))] : []
    return ([target.name, place] + names + webhook).joined(separator: " ")
  }

  /// The release as the receiver knows it.
  func releaseName(_ fact: RolloutFact) -> String {
    (details[.releaseName] ?? "{release}").replacing("{app}", with: fact.app)
      .replacing("{channel}", with: fact.channel).replacing("{release}", with: fact.release)
  }
  func environment(_ fact: RolloutFact) -> String { details[.environment] ?? fact.channel }
}
