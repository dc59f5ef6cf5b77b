import Lifecycle
import Testing

@testable import Ingest

/// stallion-tech/react-native-stallion 2.4.0 (commit b40a879c): android/src/main/java/com/stallion/events/
/// StallionEventManager.java and StallionEventConstants.java, networkmanager/StallionSyncHandler.java,
/// utils/StallionSlotManager.java and StallionExceptionHandler.java, src/main/state/useStallionEvents.ts,
/// src/main/utils/useApiClient.ts; the same words in ios/main/StallionConstants.swift.
@Suite struct StallionTests {
  private static func event(_ type: String, _ hash: String = "h2", _ more: String = "", id: String? = nil) -> String {
    """
    {"releaseHash":"\(hash)"\(more),"eventType":"\(type)","eventId":"\(id ?? "e-" + type)","eventTimestamp":1709542800000,
     "projectId":"65f0","platform":"android","appVersion":"4.2.0","uid":"d1","sdkVersion":"2.4.0"}
    """
  }

  private static func told(_ events: [String]) throws -> Asked {
    let body = #"{"projectId":"65f0","eventData":[\#(events.joined(separator: ","))]}"#
    return try #require(ask("POST", "/api/v1/analytics/log-bulk-events", body, headers: ["x-app-token": "spb_1"]))
  }

  @Test func anUpdateFromDownloadToStable() throws {
    let asked = try Self.told([
      Self.event("DOWNLOAD_STARTED_PROD"), Self.event("DOWNLOAD_RESUME_PROD"),
      Self.event("DOWNLOAD_COMPLETE_PROD", "h2", #","diffId":"7""#), Self.event("INSTALLED_PROD"),
      Self.event("STABILIZED_PROD"),
    ])
    let at = " at 2024-03-04T09:00:00Z"
    #expect(
      asked.events
        == [
          "downloadStarted h2 unknown", "downloadStarted h2 unknown", "downloadCompleted h2 unknown",
          "ready h2 unknown",
          "applied h2 unknown", "confirmed h2 unknown",
        ].map { $0 + at })
    #expect(asked.heard?.credential == "65f0" && asked.apps == ["65f0"] && asked.text == #"{"success":true}"#)
    #expect(asked.context?.platform == "android" && asked.context?.appVersion == "4.2.0")
    #expect(asked.context?.sdkVersion == "2.4.0" && Set(asked.decoded.batch.events.map(\.device)).count == 1)
  }

  /// `handleProdState`: an exception before the app has mounted is followed by the rollback with the same stack trace.
  @Test func failuresAndRollbacksSayWhy() throws {
    let trace = #","meta":"java.lang.RuntimeException: boom\n\tat a.b(C.java:1)","isAutoRollback":"true""#
    let asked = try Self.told([
      Self.event("EXCEPTION_PROD", "h2", trace), Self.event("AUTO_ROLLED_BACK_PROD", "h2", trace),
      Self.event("ROLLED_BACK_PROD", "h3", #","meta":"""#),
      Self.event("ROLLED_BACK_PROD", "h4", #","meta":"Corrupted file""#, id: "other"),
      Self.event("DOWNLOAD_ERROR_PROD", "h5", #","meta":"Stallion download error: Invalid ZIP file""#),
      Self.event("SIGNATURE_VERIFICATION_FAILED", "h6"),
      Self.event("CORRUPTED_FILE_ERROR", "h7", #","meta":"/data/user/0/com.example/files/StallionProd""#),
      Self.event("FILE_MOUNTING_ERROR", "h8", #","meta":"/data/user/0/x""#), Self.event("EXCEPTION_PROD", "", id: "z"),
      #"{"meta":"HTTP error code: 503","eventType":"SYNC_ERROR_PROD","eventTimestamp":1709542800000,"uid":"d1"}"#,
    ])
    #expect(
      asked.events.map { $0.replacing(" at 2024-03-04T09:00:00Z", with: "").replacing(" unknown", with: "") } == [
        "crashed h2 because java.lang.RuntimeException: boom",
        "rolledBack h2 because java.lang.RuntimeException: boom", "rolledBack h3 because server",
        "rolledBack h4 because Corrupted file", "failed h5 because Stallion download error: Invalid ZIP file",
        "failed h6 because signature", "failed h7 because corruption", "failed h8 because mounting",
        "crashed store:4.2.0 because exception", "failed - because HTTP error code: 503",
      ])
  }

  /// `acknowledgeEvents` comes after an answer that says `success`; until then the same ids come again.
  @Test func whatIsSentAgainIsOneEvent() throws {
    let complete = [Self.event("DOWNLOAD_COMPLETE_PROD")]
    let (one, again) = (try Self.told(complete), try Self.told(complete))
    #expect(one.decoded.batch.events.map(\.identity) == again.decoded.batch.events.map(\.identity))
    #expect(Set(one.decoded.batch.events.map(\.identity)).count == 2)
  }

  @Test func whatTellsOfNoReleaseIsCounted() throws {
    let asked = try Self.told([
      Self.event("INSTALLED_STAGE"), Self.event("DOWNLOAD_STARTED_STAGE"),
      Self.event("FROM_THE_FUTURE"), #"{"eventType":"INSTALLED_PROD","releaseHash":"h2","uid":""}"#,
    ])
    #expect(asked.events == [] && asked.reply.status == 200)
    #expect(
      asked.heard?.dropped == ["type_stage": 2, "type_other": 1, "no_device": 1])
  }

  @Test(arguments: ["", "{}", #"{"eventData":{}}"#, "[]"]) func whatIsNoBatchIsRefused(_ body: String) throws {
    let asked = try #require(ask("POST", "/api/v1/analytics/log-bulk-events", body))
    #expect(asked.reply.status == 400 && asked.text.hasPrefix(#"{"success":false,"error":"malformed""#))
  }

  /// `StallionSyncHandler.sync` and `StallionApiManager.post`: the installation stands in a header, `uid`.
  @Test(arguments: [("h1", "check h1 unknown"), ("", "check store:4.2.0 unknown")])
  func aCheckSaysWhatRuns(_ row: (hash: String, told: String)) throws {
    let body = """
      {"appVersion":"4.2.0","platform":"ios","projectId":"65f0","appliedBundleHash":"\(row.hash)",
       "deviceMeta":{"osName":"iOS","osVersion":"17.2","model":"iPhone 15 Pro","isEmulator":true,"uid":"d1"}}
      """
    let asked = try #require(ask("POST", "/api/v1/promoted/get-update-meta", body, headers: ["uid": "d1"]))
    #expect(asked.events == [row.told] && asked.heard?.credential == "65f0")
    #expect(asked.context?.osVersion == "17.2" && asked.context?.emulator == true)
    #expect(asked.text == #"{"success":true,"data":{"appliedBundleData":null,"newBundleData":null}}"#)
    let route = try #require(Dialect.routes.first { $0.path == "/api/v1/promoted/get-update-meta" })
    let offer =
      #"{"success":true,"data":{"appliedBundleData":null,"newBundleData":{"downloadUrl":"u","checksum":"h2"}}}"#
    #expect(route.dialect.isCheck && route.dialect.offer(ForeignRequest(), Array(offer.utf8)) == "h2")
    #expect(route.dialect.offer(ForeignRequest(), asked.reply.body) == nil)
  }

  /// `StallionMeta.getActiveReleaseHash` (StallionMeta.java, StallionMeta.m) is the hash of the download for as long as it waits;
  /// StallionSyncHandler sends it in checks, StallionExceptionHandler.mm in crashes. Events come in the order of a hash table.
  @Test func whatWaitsForTheNextStartIsNotBlamed() throws {
    func at(_ event: String, _ second: Int) -> String {
      event.replacing("1709542800000", with: "\(1_709_542_800 + second)000").replacing("android", with: "ios")
    }
    let asked = try Self.told([
      at(Self.event("INSTALLED_PROD"), 3), at(Self.event("EXCEPTION_PROD", id: "later"), 4),
      at(Self.event("EXCEPTION_PROD", id: "before"), 2), at(Self.event("DOWNLOAD_COMPLETE_PROD"), 1),
      at(Self.event("EXCEPTION_PROD", "h1", id: "other"), 2),
    ])
    #expect(
      asked.events.map { $0.prefix { $0 != "u" }.dropLast() } == [
        "applied h2", "crashed h2", "crashed -", "downloadCompleted h2", "ready h2", "crashed h1",
      ])
    #expect(asked.heard?.remembers.last?.release == .some(nil), "it runs")
    // Android's crashes name what runs, so that it has started.
    let android = try Self.told([Self.event("DOWNLOAD_COMPLETE_PROD"), Self.event("EXCEPTION_PROD")])
    #expect(
      android.events.map { $0.prefix { $0 != "u" }.dropLast() } == ["downloadCompleted h2", "ready h2", "crashed h2"])
  }

  /// Stallion's words in native bodies; `INSTALLED_PROD` is Swiftpatch's word as well, and means `ready` there.
  @Test func theWordsAreKnownInNativeBodies() throws {
    for (word, meanings) in StallionEvent.meanings where word != "INSTALLED_PROD" {
      let known = try #require(StageWord.all.first { $0.word == word }, "\(word)")
      #expect(known.stage == meanings.last?.stage || known.stage == meanings.first?.stage, "\(word)")
    }
  }
}
