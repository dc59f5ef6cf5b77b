import Glibc

/// Who did something that the audit tells of.
public enum Author: Hashable, Sendable {
  /// A request with the key of this number.
  case key(Int64)
  /// A request before the first key was made: whoever was on this machine.
  case anybodyHere
  /// The operating system's user who ran the program.
  case user(String)

  /// The user of this process. Where `sudo` says who called it, that name goes first: what runs as a user of its own is
  /// run by many people.
  public static let thisUser = user(caller.map { "\($0) as \(userName)" } ?? userName)

  private static let caller = getenv("SUDO_USER").map { String(cString: $0) }.flatMap { name in
    name.isEmpty || name == userName ? nil : name
  }

  /// The number, where nobody has given it a name.
  private static let userName: String = {
    var (entry, found) = (passwd(), UnsafeMutablePointer<passwd>?.none)
    var texts = [CChar](repeating: 0, count: 16_384)
    guard getpwuid_r(geteuid(), &entry, &texts, texts.count, &found) == 0, let name = found?.pointee.pw_name else {
      return "\(geteuid())"
    }
    return String(cString: name)
  }()
}
