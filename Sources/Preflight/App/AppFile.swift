internal import Ingest

/// A file of an app, by what it is. Which it is its name says, or else its content.
public struct AppFile: Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    case infoPlist, entitlements, androidManifest, source
  }

  public var path: String
  public var kind: Kind
  public var bytes: [UInt8]

  /// nil where no rule looks at such a file.
  public init?(path: String, bytes: [UInt8]) {
    guard let kind = Kind(path: path) ?? Kind(content: bytes) else { return nil }
    (self.path, self.kind, self.bytes) = (path, kind, bytes)
  }
}

extension AppFile.Kind {
  /// By the name alone, so that a folder can be looked through without reading it.
  public init?(path: String) {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    switch name {
    case "AndroidManifest.xml": self = .androidManifest
    case _ where name.hasSuffix(".entitlements"): self = .entitlements
    case _ where name.hasSuffix("Info.plist") && !name.contains("Test"): self = .infoPlist
    case _ where [".swift", ".m", ".mm", ".kt", ".java", ".dart", ".ts", ".tsx", ".js"].contains { name.hasSuffix($0) }:
      self = .source
    default: return nil
    }
  }

  fileprivate init?(content: [UInt8]) {
    let start = String(decoding: content.prefix(2000), as: UTF8.self)
    if content.starts(with: "bplist".utf8) || start.contains("<plist") {
      self = start.contains("aps-environment") ? .entitlements : .infoPlist
    } else if start.contains("<manifest") {
      self = .androidManifest
    } else {
      return nil
    }
  }
}

/// Why a file cannot be judged.
struct FileProblem: Error {
  let found: String
  let fix: String
}
