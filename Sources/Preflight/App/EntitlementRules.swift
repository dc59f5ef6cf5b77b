/// The entitlements that an app is signed with.
struct Entitlements {
  let path: String
  let values: PropertyList
}

enum EntitlementRules {
  static let all: [Rule<Entitlements>] = [
    Rule(
      "ios-aps-environment", why: "without it an app gets no token for pushes, and every registration fails"
    ) { file in
      let place = "\(file.path): aps-environment"
      switch file.values["aps-environment"]?.text ?? file.values["com.apple.developer.aps-environment"]?.text {
      case nil:
        return Remark.fail(place, "missing", fix: "add the capability Push Notifications (Signing & Capabilities)")
      case "production"?: return Remark.pass(place, "production")
      case "development"?:
        return Remark.pass(place, "development; signing for distribution makes it production")
      case let word?:
        return word.hasPrefix("$(")
          ? Remark.note(place, word, fix: "check that the setting is development or production")
          : Remark.fail(place, word, fix: "write development or production")
      }
    }
  ]
}
