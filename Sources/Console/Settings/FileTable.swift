/// A table of the configuration file that no option reads: `[name]`, or `[[name]]` where it repeats.
public struct FileTable: Equatable, Sendable {
  public struct Key: Equatable, Sendable {
    public var name: String
    public var kind: Option.Kind
    public var isSecret: Bool
    public var help: String
    public init(_ name: String, _ kind: Option.Kind, isSecret: Bool = false, help: String) {
      (self.name, self.kind, self.isSecret, self.help) = (name, kind, isSecret, help)
    }
  }

  public var name: String
  public var repeats: Bool
  public var keys: [Key]
  public init(_ name: String, repeats: Bool = false, keys: [Key]) {
    (self.name, self.repeats, self.keys) = (name, repeats, keys)
  }
}
