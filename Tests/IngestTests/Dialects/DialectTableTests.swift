import Foundation
import Testing

@testable import Ingest

/// What holds for every row of the table of dialects.
@Suite struct DialectTableTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// Two dialects have no endpoint of their own.
  @Test(arguments: Dialect.names + ["swiftpatch", "expo"]) func everyDialectIsFuzzed(_ name: String) throws {
    let script = try String(contentsOf: Self.root.appendingPathComponent("scripts/check-fuzz"), encoding: .utf8)
    let listed = script.split(separator: "\n").first { $0.hasPrefix("dialects=") } ?? ""
    #expect(listed.dropFirst(10).dropLast().split(separator: " ").contains { $0 == name }, "in scripts/check-fuzz")
    let folder = Self.root.appendingPathComponent("fuzz/corpus/" + name)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count > 1, "in fuzz/corpus")
  }

  /// A client waits as long as it is told, in a shape that it reads.
  @Test(arguments: Dialect.routes.indices) func tooManyRequestsAreAnsweredInTheProtocol(_ row: Int) {
    let route = Dialect.routes[row]
    let problem = DialectProblem(.limited(seconds: 7), "too many")
    let reply = route.dialect.answer(ForeignRequest(), nil, .refused(problem))
    #expect(reply.status == 429 && reply.headers["Retry-After"] == "7", "\(route.path)")
    let generic = #""code":"too_many_requests""#
    #expect(!reply.body.isEmpty && !String(decoding: reply.body, as: UTF8.self).contains(generic))
  }
}
