import Foundation
import Testing

/// The commands of README.md, pasted as they stand into a shell that knows nothing, after `make build`.
@Suite struct ReadmeTests {
  private static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// What stands between fences, with the word behind the first of them.
  private static func blocks() throws -> [(language: String, text: String)] {
    let page = try String(contentsOf: repository.appending(path: "README.md"), encoding: .utf8)
    let pieces = page.components(separatedBy: "\n```")
    return stride(from: 1, to: pieces.count, by: 2).map { index in
      let lines = pieces[index].split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      return (lines[0], lines.count > 1 ? lines[1] : "")
    }
  }

  @Test func everyBlockOfCommandsIsMarkedAsOne() throws {
    let others = try Self.blocks().filter { $0.language != "sh" }
    for block in others {
      #expect(block.text.contains("make demo") || block.text.contains("──"), "is this to be pasted? \(block.text)")
    }
  }

  /// A network of its own, where the system permits: the port may be in use here.
  private static func shell(_ script: String, _ folder: String) throws -> Binary.Result {
    let alone = try Binary.start("/usr/bin/env", ["unshare", "-rn", "ip", "link", "set", "lo", "up"]).status == 0
    let words = alone ? ["unshare", "-rn", "bash", "-c", "ip link set lo up\n" + script] : ["bash", "-c", script]
    return try Binary.start("/usr/bin/env", words, environment: ["HOME": folder + "/home", "FOLDER": folder])
  }

  @Test func whatIsPastedWorksAndAnswers() throws {
    let folder = try scratchFolder() + "/a clone"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for place in ["/home", "/.build/release"] {
      try FileManager.default.createDirectory(atPath: folder + place, withIntermediateDirectories: true)
    }
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/.build/release/uptake", withDestinationPath: Binary.path)
    let blocks = try Self.blocks().filter { $0.language == "sh" }.map(\.text)
    try #require(!blocks.isEmpty, "README.md shows no commands")
    // The shell ends with the first command that fails, and takes the service with it.
    let script = "trap 'kill $(jobs -p)' EXIT; cd \"$FOLDER\"; set -e\n" + blocks.joined(separator: "\n")
    let run = try Self.shell(script, folder)
    #expect(run.status == 0, "\(run.output)\n\(run.errors)")
    #expect(run.output.contains(#""accepted":3,"duplicate":0,"rejected":0"#), "\(run.output)\n\(run.errors)")
    // The last answer has the device: one, and it is updated.
    let answer = run.output.split(separator: "\n").suffix(2)
    #expect(answer.first?.contains("mechanism\tdevices\tevents\t") == true, "\(run.output)")
    #expect(answer.last?.hasPrefix("silentPush\t1\t1\t") == true, "\(run.output)")
  }
}
