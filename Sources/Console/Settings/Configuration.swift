/// The configuration files of a run, strongest first.
public struct Configuration: Sendable {
  public let files: [TOMLFile]

  /// Reads `--config` (or its environment variable) alone, else `./NAME.toml`, the user's, the system's: those there are.
  init(_ program: Program, _ host: Host, explicit: (path: String, place: String)?) throws(Failure) {
    var files: [TOMLFile] = []
    if let explicit {
      guard let file = try Self.read(explicit.path, host) else {
        throw Failure(
          "config_missing", "there is no file \(quoted(explicit.path))", place: explicit.place, exit: .usage)
      }
      files.append(file)
    } else {
      for path in Self.places(program, host.environment) {
        if let file = try Self.read(path, host) { files.append(file) }
      }
    }
    self.files = files
  }

  /// Where files are looked for, strongest first.
  public static func places(_ program: Program, _ environment: [String: String]) -> [String] {
    let home = environment["HOME"].map { $0 + "/.config" }
    let user = environment["XDG_CONFIG_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? home
    let name = program.name
    return ["./\(name).toml"] + (user.map { ["\($0)/\(name)/config.toml"] } ?? []) + ["/etc/\(name)/config.toml"]
  }

  private static func read(_ path: String, _ host: Host) throws(Failure) -> TOMLFile? {
    do throws(Failure) {
      guard let bytes = try host.readFile(path) else { return nil }
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw Failure("config_unreadable", "the file is not UTF-8", place: path, exit: .usage)
      }
      return try TOMLFile(text, path: path)
    } catch {
      var failure = error
      failure.exit = .usage
      throw failure
    }
  }

  /// What the strongest file says about an option.
  func setting(_ option: Option) -> Setting? {
    guard let key = option.key else { return nil }
    for file in files {
      if let entry = file.entries.first(where: { $0.key == key && $0.element == nil }) {
        return Setting(option: option, texts: entry.value.texts, origin: .file(file.path, line: entry.line))
      }
    }
    return nil
  }

  /// The tables of this name, each with its keys; those of the strongest file that has any.
  public func tables(_ name: String) -> [[String: TOMLFile.Value]] {
    for file in files {
      let entries = file.entries.filter { $0.key.hasPrefix(name + ".") }
      let count = file.elements[name]?.count ?? (file.tables[name] == nil ? 0 : 1)
      if count == 0 { continue }
      return (0..<count).map { index in
        let own = entries.filter { ($0.element ?? 0) == index }
        return Dictionary(own.map { (String($0.key.dropFirst(name.count + 1)), $0.value) }) { first, _ in first }
      }
    }
    return []
  }
}
