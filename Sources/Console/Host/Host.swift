internal import Glibc
public import Lifecycle

/// What a run sees of the outside: so that a test can be all of it.
public struct Host: Sendable {
  /// Without the name of the program.
  public var arguments: [String]
  public var environment: [String: String]
  public var output: Sink
  public var errors: Sink
  public var clock: @Sendable () -> Instant
  /// The bytes of a file; nil where there is none.
  public var readFile: @Sendable (String) throws(Failure) -> [UInt8]?
  /// The next line of standard input, nil at its end; nil where there is none: who asks over HTTP has no say about ours.
  public var readLine: (@Sendable () -> String?)?
  /// Whether somebody sits there who can be asked.
  public var isInputTerminal = false

  public init(
    arguments: [String], environment: [String: String], output: Sink, errors: Sink,
    clock: @escaping @Sendable () -> Instant = Instant.now,
    readFile: @escaping @Sendable (String) throws(Failure) -> [UInt8]? = { (path) throws(Failure) in
      try contents(of: path, limit: 1 << 20)
    }, readLine: (@Sendable () -> String?)? = nil
  ) {
    self.arguments = arguments
    self.environment = environment
    self.output = output
    self.errors = errors
    self.clock = clock
    self.readFile = readFile
    self.readLine = readLine
  }

  /// This process.
  public static func process() -> Host {
    let environment = processEnvironment()
    var host = Host(
      arguments: Array(CommandLine.arguments.dropFirst()), environment: environment,
      output: .standard(STDOUT_FILENO, environment: environment),
      errors: .standard(STDERR_FILENO, environment: environment), readLine: { Swift.readLine() })
    host.isInputTerminal = isatty(STDIN_FILENO) == 1
    return host
  }
}

private func processEnvironment() -> [String: String] {
  var (result, pointer) = unsafe ([String: String](), environ)
  while let entry = unsafe pointer.pointee {
    let parts = unsafe String(cString: entry).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2 { result[String(parts[0])] = String(parts[1]) }
    unsafe pointer += 1
  }
  return result
}
