internal import Glibc

/// Programs that are started beside this one: workers, and commands of the operator's.
public enum ChildProcess {
  /// The system's number of what went wrong.
  public struct NotStarted: Error { public let number: Int32 }

  /// Everything else that is open closes by itself: nothing here is opened without saying so.
  ///
  /// - Parameters:
  ///   - words: the program, and what it is told.
  ///   - name: what it is told that it is called; nil for the program.
  ///   - environment: as `NAME=value`; nil for that of this process.
  ///   - input: becomes its standard input.
  ///   - output: becomes its standard output; nil for none.
  ///   - isApart: in a group of its own, so that what a terminal sends to this process is not for it.
  /// - Returns: its number.
  public static func start(
    _ words: [String], name: String? = nil, environment: [String]? = nil, input: Int32, output: Int32?, isApart: Bool
  ) throws(NotStarted) -> Int32 {
    var (actions, attributes) = (posix_spawn_file_actions_t(), posix_spawnattr_t())
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_adddup2(&actions, input, 0)
    if let output {
      posix_spawn_file_actions_adddup2(&actions, output, 1)
    } else {
      posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    }
    holdNothingBack(&attributes, isApart: isApart)
    let (arguments, variables) = (copies([name ?? words[0]] + words.dropFirst()), environment.map(copies))
    defer { for text in arguments + (variables ?? []) { free(text) } }
    var process: pid_t = 0
    let fault =
      if let variables {
        posix_spawn(&process, words[0], &actions, &attributes, arguments, variables)
      } else {
        posix_spawn(&process, words[0], &actions, &attributes, arguments, environ)
      }
    guard fault == 0 else { throw NotStarted(number: fault) }
    return process
  }

  /// Threads of a service take no signals; what it starts does.
  private static func holdNothingBack(_ attributes: inout posix_spawnattr_t, isApart: Bool) {
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (isApart ? POSIX_SPAWN_SETPGROUP : 0)
    posix_spawnattr_setflags(&attributes, Int16(flags))
  }

  /// The system names a process by the file that it began with, and ours is `/proc/self/exe`: who reads the database would be `exe`.
  ///
  /// - Parameter name: of 15 bytes at most.
  static func callThisOne(_ name: String) {
    let file = open("/proc/self/comm", O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    _ = write(file, name, name.utf8.count)
    close(file)
  }

  /// With the nil that ends such a list.
  private static func copies(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] { texts.map { strdup($0) } + [nil] }
}
