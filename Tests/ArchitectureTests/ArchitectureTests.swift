import Foundation
import Testing

/// The arrows between modules, which SwiftPM does not enforce: importing a dependency's dependency compiles.
@Suite struct ArchitectureTests {
  /// What each module may import of ours. A new arrow is a decision: write it down in docs/architecture.md too.
  static let allowed: [String: Set<String>] = [
    "Locks": [], "Lifecycle": [], "Statistics": [], "Console": ["Lifecycle"],
    "Store": ["Locks", "Lifecycle", "Statistics", "CPageChecksums", "CSQLite", "CSodium", "CZlib"],
    "HTTP": ["Locks", "Lifecycle", "CMicrohttpd", "CGnuTLS", "CZlib"],
    "Ingest": ["Locks", "Lifecycle", "Store", "CSimdjson", "CZlib", "CBrotli", "CZstd", "CSodium"],
    "Query": ["Lifecycle", "Statistics", "Console", "Store"],
    "Report": ["Lifecycle", "Statistics", "Console", "Query", "CSodium"],
    "Answers": ["Lifecycle", "Statistics", "Console", "Store", "Query"],
    "Server": ["Locks", "Lifecycle", "Console", "Store", "HTTP", "Ingest", "Query", "Report", "Answers"],
    "Simulate": ["Lifecycle"],
    "Preflight": ["Lifecycle", "Ingest"],
    "Warehouse": ["Locks", "Lifecycle", "Store", "HTTP"],
    "Maps": ["Console", "Ingest"],
    "uptake": [
      "Locks", "Lifecycle", "Statistics", "Console", "Store", "HTTP", "Ingest", "Query", "Report", "Answers",
      "Server", "Simulate", "Preflight", "Warehouse", "Maps",
    ],
  ]
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Imports of every Swift file of a module, with the file's name.
  private func imports(_ module: String) throws -> [(file: String, name: String)] {
    let folder = Self.root.appendingPathComponent("Sources/\(module)")
    let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    var found: [(String, String)] = []
    for case let file as URL in files where file.pathExtension == "swift" {
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        let words = line.split(separator: " ")
        guard let place = words.firstIndex(of: "import"), place <= 2, words.count > place + 1 else { continue }
        found.append((file.lastPathComponent, String(words[place + 1])))
      }
    }
    return found
  }

  @Test(arguments: allowed.keys.sorted()) func importsOnlyWhatItMay(_ module: String) throws {
    let ours = Set(Self.allowed.keys).union([
      "CPageChecksums", "CSQLite", "CZlib", "CBrotli", "CZstd", "CMicrohttpd", "CGnuTLS", "CSodium", "CSimdjson",
    ])
    for (file, name) in try imports(module) where ours.contains(name) {
      #expect(Self.allowed[module]?.contains(name) == true, "\(module)/\(file) imports \(name)")
    }
  }

  /// Linked into the program, the smallest part of Foundation takes 7 MB.
  @Test(arguments: allowed.keys.sorted()) func doesWithoutFoundation(_ module: String) throws {
    for (file, name) in try imports(module) {
      #expect(!name.hasPrefix("Foundation"), "\(module)/\(file) imports \(name)")
    }
  }

  @Test func everyModuleIsListed() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.root.appendingPathComponent("Sources").path)
    #expect(Set(folders.filter { !$0.hasPrefix("C") || $0 == "Console" }) == Set(Self.allowed.keys))
  }

  /// `docs/architecture.md` names every folder of every module, and no other.
  @Test func everyFolderIsDescribed() throws {
    let text = try String(contentsOf: Self.root.appendingPathComponent("docs/architecture.md"), encoding: .utf8)
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| `") && $0.split(separator: "`")[1].contains("/") }
    let described = rows.map { String($0.split(separator: "`")[1]) }
    var folders: [String] = []
    for module in Self.allowed.keys {
      let path = Self.root.appendingPathComponent("Sources/\(module)").path
      for name in try FileManager.default.contentsOfDirectory(atPath: path) where !name.hasSuffix(".swift") {
        folders.append("\(module)/\(name)")
      }
    }
    #expect(described.sorted() == folders.sorted())
  }

  /// A suite in Python is run with all of its files: a test that nobody runs rots, and what it holds with it.
  @Test(arguments: ["answers", "clients", "dashboards", "exports", "reliability", "terminal", "warehouse"])
  func everyFileOfASuiteIsRun(_ suite: String) throws {
    let script = try String(contentsOf: Self.root.appendingPathComponent("scripts/check-\(suite)"), encoding: .utf8)
    let folder = Self.root.appendingPathComponent("Tests/\(suite.capitalized)").path
    let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix("test_") }
    let takesAll = script.contains("discover --pattern 'test_*.py'") || script.contains("for file in test_*.py")
    #expect(!files.isEmpty)
    for file in files { #expect(takesAll || script.contains(file), "scripts/check-\(suite) does not run \(file)") }
    let makefile = try String(contentsOf: Self.root.appendingPathComponent("Makefile"), encoding: .utf8)
    let test = try #require(makefile.firstRange(of: "\ntest:").map { makefile[$0.upperBound...].prefix(1500) })
    #expect(
      test.contains("check-\(suite) ") || test.firstMatch(of: /for suite in ([a-z ]+);/) != nil && test.contains(suite))
  }

  /// What a rule of the Makefile calls by its name can be called so.
  @Test(arguments: ["bench", "scripts"]) func whatBeginsAsAProgramIsOne(_ folder: String) throws {
    let place = Self.root.appendingPathComponent(folder).path
    var programs = 0
    for name in try FileManager.default.contentsOfDirectory(atPath: place).sorted() {
      let file = "\(place)/\(name)"
      guard let text = try? String(contentsOfFile: file, encoding: .utf8), text.hasPrefix("#!") else { continue }
      programs += 1
      #expect(FileManager.default.isExecutableFile(atPath: file), "chmod +x \(folder)/\(name)")
    }
    #expect(programs > 3)
  }

  @Test func noFileGrowsTooLong() throws {
    for module in Self.allowed.keys {
      let folder = Self.root.appendingPathComponent("Sources/\(module)")
      let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
      for case let file as URL in files where file.pathExtension == "swift" {
        let lines = try String(contentsOf: file, encoding: .utf8).split(
          separator: "\n", omittingEmptySubsequences: false
        ).count
        #expect(lines <= 400, "\(module)/\(file.lastPathComponent) has \(lines) lines")
      }
    }
  }
}
