import Glibc

/// Where file systems are mounted, as this process sees it:
/// https://man7.org/linux/man-pages/man5/proc_pid_mountinfo.5.html.
enum MountPoint {
  /// The one that holds what a path leads to; nil where nobody can tell.
  static func of(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    let path = String(cString: resolved)
    return all().filter { $0 == "/" || $0 == path || path.hasPrefix($0 + "/") }.max { $0.utf8.count < $1.utf8.count }
  }

  static func all() -> [String] {
    guard let text = try? Text.read("/proc/self/mountinfo") else { return [] }
    return parsed(text)
  }

  static func parsed(_ text: String) -> [String] {
    text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      return words.count > 4 ? unescaped(words[4]) : nil
    }
  }

  /// With which part of its file system each shows: a folder that systemd or a container binds onto itself is mounted also where its
  /// disk is not, and then shows a folder of another.
  static func parts() -> [String: String] {
    guard let text = try? Text.read("/proc/self/mountinfo") else { return [:] }
    return parts(text)
  }

  /// Of what is mounted over another the last counts.
  static func parts(_ text: String) -> [String: String] {
    let lines = text.split(separator: "\n").map { $0.split(separator: " ") }.filter { $0.count > 4 }
    return Dictionary(lines.map { (unescaped($0[4]), unescaped($0[3])) }) { $1 }
  }

  /// Space, tab, newline and backslash are written as `\040` and the like.
  private static func unescaped(_ word: Substring) -> String {
    let parts = word.split(separator: "\\", omittingEmptySubsequences: false)
    return parts.dropFirst().reduce(String(parts[0])) { text, part in
      guard let code = UInt8(part.prefix(3), radix: 8) else { return text + "\\" + part }
      return text + String(UnicodeScalar(code)) + part.dropFirst(3)
    }
  }
}
