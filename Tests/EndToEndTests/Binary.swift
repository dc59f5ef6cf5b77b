import Foundation

/// The built program, called as a user calls it.
enum Binary {
  /// It lies beside the tests, where SwiftPM puts every product.
  static let path = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "uptake").path

  /// How sanitizers behave in a program that was built with one; nothing else of this environment is passed on. A program
  /// that traps ends at once: the tracer of stacks would wait for somebody to read what it says.
  static let sanitizers = ProcessInfo.processInfo.environment.filter {
    ["ASAN_OPTIONS", "TSAN_OPTIONS"].contains($0.key)
  }.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }

  struct Result: Equatable {
    var output: String
    var errors: String
    var status: Int32
  }

  static func run(_ arguments: String..., environment: [String: String] = [:]) throws -> Result {
    try start(path, arguments, environment: environment)
  }

  /// Runs a program with a bare environment in `/`, so that no setting of this machine has a say.
  static func start(
    _ program: String, _ arguments: [String], input: String = "", environment: [String: String] = [:]
  ) throws -> Result {
    let (process, output, errors, stdin) = (Process(), Pipe(), Pipe(), Pipe())
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.environment = ["PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"].merging(sanitizers) { $1 }
      .merging(environment) { $1 }
    process.currentDirectoryURL = URL(filePath: "/")
    (process.standardOutput, process.standardError, process.standardInput) = (output, errors, stdin)
    try process.run()
    try stdin.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try stdin.fileHandleForWriting.close()
    let said = try output.fileHandleForReading.readToEnd() ?? Data()
    let complained = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Result(
      output: String(decoding: said, as: UTF8.self), errors: String(decoding: complained, as: UTF8.self),
      status: process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus)
  }
}
