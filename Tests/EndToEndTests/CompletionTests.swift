import Foundation
import Testing

/// Completion, as the shells really do it.
struct CompletionTests {
  private static let folder = URL(filePath: Binary.path).deletingLastPathComponent().path

  /// What bash offers behind this line: its own words, split as bash splits them at `=` and `:`.
  private func bash(_ words: [String], directory: String = "/") throws -> [String] {
    let script = """
      cd '\(directory)'
      PATH='\(Self.folder)':$PATH
      source <(uptake completion bash)
      complete -p uptake >/dev/null
      COMP_WORDS=(\(words.map { "'\($0)'" }.joined(separator: " "))); COMP_CWORD=\(words.count - 1)
      _uptake
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let result = try Binary.start("/bin/bash", ["--norc", "-c", script])
    #expect(result.errors == "")
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test(arguments: [
    (["uptake", "conf"], ["config"]), (["uptake", "config", ""], ["show", "check", "example"]),
    (["uptake", "completion", ""], ["bash", "zsh", "fish"]), (["uptake", "config", "show", "--or"], ["--origin"]),
    (["uptake", "config", "show", "--format", "t"], ["table", "tsv"]),
    (["uptake", "config", "show", "--format", "=", "t"], ["table", "tsv"]),
    (["uptake", "config", "show", "--color", "="], ["auto", "always", "never"]),
    (["uptake", "help", "defi"], ["definitions"]), (["uptake", "zzz"], []), (["uptake", "completion", "bash", ""], []),
  ]) func bashOffers(_ words: [String], _ offers: [String]) throws { #expect(try bash(words) == offers) }

  @Test func bashOffersFiles() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data().write(to: folder.appending(path: "new.toml"))
    #expect(try bash(["uptake", "--config", "n"], directory: folder.path) == ["new.toml"])
    #expect(try bash(["uptake", "--config", "=", "n"], directory: folder.path) == ["new.toml"])
  }

  private static func has(_ shell: String) -> Bool { FileManager.default.isExecutableFile(atPath: "/usr/bin/" + shell) }

  /// The other shells may be missing on a machine; those that are here must read their scripts.
  @Test(arguments: ["zsh", "fish"].filter(has)) func readsItsScript(_ shell: String) throws {
    let script = try Binary.run("completion", shell).output
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data(script.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(try Binary.start("/usr/bin/" + shell, ["-n", file.path]) == .init(output: "", errors: "", status: 0))
  }

  @Test(.enabled(if: has("fish"))) func fishOffers() throws {
    let script = "set -x PATH '\(Self.folder)' $PATH; uptake completion fish | source; complete -C 'uptake config s'"
    let result = try Binary.start("/usr/bin/fish", ["--no-config", "-c", script], environment: ["HOME": "/tmp"])
    #expect(result.output == "show\tPrint every setting with its value; secrets are withheld\n")
  }

  @Test func answersAPromptInTime() throws {
    let isInTime = try takesLess(than: .seconds(2)) {
      for _ in 0..<5 { _ = try Binary.run("__complete", "--", "config", "show", "--") }
    }
    #expect(isInTime)
  }
}
