import Console
import Query
import Store
import Testing

@testable import Answers

/// Errors keep their facts to the rim; there they get words, a code and an exit.
struct ExplainingTests {
  static let stored: [(StoreError.Kind, String, ExitCode)] = [
    (.missingFile, "database_missing", .databaseUnusable), (.missingDirectory, "directory_missing", .databaseUnusable),
    (.emptyFile, "database_empty", .databaseUnusable),
    (.notADatabase, "not_a_database", .databaseUnusable), (.corrupt, "database_corrupt", .databaseUnusable),
    (.readOnly, "database_read_only", .databaseUnusable), (.locked, "database_locked", .databaseUnusable),
    (.full, "disk_full", .failed), (.inputOutput, "io_error", .failed), (.tookTooLong, "question_too_long", .failed),
  ]

  @Test(arguments: stored) func explains(_ kind: StoreError.Kind, _ code: String, _ exit: ExitCode) throws {
    let failure = try #require(Failure(explaining: StoreError(kind, path: "/x.db")))
    #expect((failure.code, failure.exit) == (code, exit))
    #expect(!failure.hints.joined().isEmpty && failure.what.contains("/x.db"))
  }

  static let refused: [(QuestionError, String, ExitCode, String)] = [
    (.nothingStored, "nothing_stored", .notEnoughData, "uptake import FILE"),
    (.unknownApp("x", known: ["a b"]), "unknown_app", .usage, "known apps: 'a b'"),
    (.whichApp(["a", "b"]), "which_app", .usage, "choose one with --app: a, b"),
    (.unknownRelease("2", app: "a", near: ["2.0"]), "unknown_release", .usage, "did you mean 2.0?"),
    (.unknownChannel("x", known: ["beta"]), "unknown_channel", .usage, "known channels: beta"),
    (.unknownPlatform("x", known: ["ios"]), "unknown_platform", .usage, "known platforms: ios"),
    (.unknownPlatform("x", known: []), "unknown_platform", .usage, "no device has named a platform yet"),
    (.sameRelease("2.0"), "same_release", .usage, "name another release"),
  ]

  @Test(arguments: refused) func explains(_ refusal: QuestionError, _ code: String, _ exit: ExitCode, _ hint: String)
    throws
  {
    let failure = try #require(Failure(explaining: refusal))
    #expect((failure.code, failure.exit) == (code, exit))
    #expect(failure.hints.count == 1 && failure.hints[0].contains(hint), "\(failure.hints)")
  }

  @Test func aFailureStaysWhatItIsAndOthersAreUnknown() {
    let failure = Failure("own", "what", hints: ["do"], exit: .usage)
    #expect(Failure(explaining: failure) == failure)
    #expect(Failure(explaining: CancellationError()) == nil)
  }
}
