public import Store

/// A question that cannot be answered as it was asked.
public enum QuestionError: Error, Equatable, Sendable {
  /// The database holds nothing at all.
  case nothingStored
  case unknownApp(String, known: [String])
  /// Several apps, and none was chosen.
  case whichApp([String])
  case unknownRelease(String, app: String, near: [String])
  case unknownChannel(String, known: [String])
  case unknownPlatform(String, known: [String])
  /// A release was to be compared with itself.
  case sameRelease(String)

  public var code: String {
    switch self {
    case .nothingStored: "nothing_stored"
    case .unknownApp: "unknown_app"
    case .whichApp: "which_app"
    case .unknownRelease: "unknown_release"
    case .unknownChannel: "unknown_channel"
    case .unknownPlatform: "unknown_platform"
    case .sameRelease: "same_release"
    }
  }

  public var message: String {
    switch self {
    case .nothingStored: "the database holds no events and no releases yet"
    case .unknownApp(let app, _): "app \"\(app)\" is not in the database"
    case .whichApp: "the database holds several apps, and the question names none"
    case .unknownRelease(let release, let app, _): "release \"\(release)\" of \(app) is not in the database"
    case .unknownChannel(let channel, _): "no device was ever on channel \"\(channel)\""
    case .unknownPlatform(let platform, _): "no device ever was on platform \"\(platform)\""
    case .sameRelease(let release): "release \"\(release)\" cannot be compared with itself"
    }
  }

  public var hint: Remedy {
    switch self {
    case .nothingStored:
      "send events to `uptake serve`, or load them with: uptake import FILE; a warehouse is filled by: uptake ship --to URL"
    case .unknownApp(_, let known): "known apps: \(.names(known))"
    case .whichApp(let known): "choose one with --app: \(.names(known))"
    case .unknownRelease(_, _, let near):
      near.isEmpty ? "list them with: uptake releases" : "did you mean \(.names(near))? list them with: uptake releases"
    case .unknownChannel(_, let known):
      known.isEmpty ? "no channel is known yet" : "known channels: \(.names(known))"
    case .unknownPlatform(_, let known):
      known.isEmpty ? "no device has named a platform yet" : "known platforms: \(.names(known))"
    case .sameRelease: "name another release; list them with: uptake releases"
    }
  }
}
