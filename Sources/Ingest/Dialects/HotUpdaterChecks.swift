/// What hot-updater asks for at the one address that it also reports to. None of it names an installation, so it is only
/// passed on: of 0.x a check, from 1.0 on a catalog of releases, and then the files of the one that the client chose.
extension Dialect {
  static let hotUpdaterCheckRoutes: [DialectRoute] =
    checkPaths.map { path in
      DialectRoute("GET", path, isAnywhere: true, hotUpdaterQuestion(nothing: .json("null")))
    }
    + catalogPaths.map { path in
      DialectRoute("GET", path, isAnywhere: true, hotUpdaterQuestion(nothing: noCatalog))
    }

  private static let checkPaths: [String] =
    ["/app-version/{platform}/{appVersion}", "/fingerprint/{platform}/{fingerprintHash}"].flatMap { path in
      ["", "/{cohort}"].map { path + "/{channel}/{minBundleId}/{bundleId}" + $0 }
    }
  private static let catalogPaths = [
    "/release-catalogs/app-version/{authorityId}/{platform}/{channelKey}/{appVersion}",
    "/release-catalogs/fingerprint/{authorityId}/{platform}/{channelKey}/{fingerprintHash}",
    "/artifacts/{targetBundleId}/from/{currentBundleId}",
  ]

  /// A catalog is bound to its server by a generation and a hash: an empty one would be an answer of its own. The client
  /// keeps what it runs, and asks again.
  private static let noCatalog = ForeignReply.json(#"{"error":"no update server answered"}"#, status: 503)

  /// - Parameter nothing: the answer where no update server says another.
  private static func hotUpdaterQuestion(nothing: ForeignReply) -> Dialect {
    Dialect(
      name: "hot-updater", isCheck: true, proof: .beside { $0.headers["x-api-key"] },
      hear: { (_) throws(DialectProblem) in
        var heard = ParsedRequest()
        heard.drop("no_device")
        return heard
      },
      answer: { request, heard, verdict in
        switch verdict {
        case .stored: nothing
        case .refused: answerHotUpdater(request, heard, verdict)
        }
      })
  }
}
