/// One row of the table of other systems' endpoints.
public struct DialectRoute: Sendable {
  public let method: String
  /// `{name}` stands for one part of the path. A slash at the end may be left out by clients, or put there.
  public let path: String
  /// Whether the path may also stand at the end of a longer one: clients put a prefix of their own before it.
  public let isAnywhere: Bool
  public let dialect: Dialect

  init(_ method: String, _ path: String, isAnywhere: Bool = false, _ dialect: Dialect) {
    self.method = method
    self.path = path
    self.isAnywhere = isAnywhere
    self.dialect = dialect
  }
}

extension Dialect {
  /// The request headers that some dialect reads, in lower case.
  public static let headers = [
    "x-uptake-app", "x-uptake-channel", "x-uptake-platform", "x-uptake-trigger", "x-uptake-device", "content-type",
    "user-agent",
    "x-codepush-sdk-version", "x-codepush-plugin-version", "x-sentry-auth", "authorization", "x-api-key",
    "x-goog-update-interactivity", "uid",
  ]

  /// Every endpoint that other systems' clients call. The service, `docs/http.md` and the tests read the same rows.
  public static let routes: [DialectRoute] =
    codePushRoutes + sentryRoutes + otlpRoutes + capgoRoutes + capgoNotificationRoutes + releaseHealthRoutes
    + hotUpdaterRoutes + shorebirdRoutes + stallionRoutes
    + reactNativeUpdateRoutes + omahaRoutes + expoObserveRoutes + pushRoutes

  /// Each name once, in the table's order.
  public static let names = routes.map(\.dialect.name).reduce(into: [String]()) { names, name in
    if !names.contains(name) { names.append(name) }
  }
}
