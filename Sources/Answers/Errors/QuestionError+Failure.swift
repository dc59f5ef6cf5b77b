internal import Console
internal import Query

extension QuestionError {
  var exit: ExitCode {
    switch self {
    case .nothingStored: .notEnoughData
    case .unknownApp, .whichApp, .unknownRelease, .unknownChannel, .unknownPlatform, .sameRelease: .usage
    }
  }
}
