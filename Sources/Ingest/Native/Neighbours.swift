/// Looks beside a field that is missing for one that is not read and may have been meant.
struct Neighbours {
  private let members: [JSONValue.Member]
  /// Of so many members the names are looked at: whoever sends more chooses what that costs.
  private static let most = 64

  /// nil where the bytes are no object.
  init?(_ bytes: [UInt8]) {
    guard let members = (try? JSONReader.read(bytes))?.members else { return nil }
    self.members = Array(members.prefix(Self.most))
  }

  /// Whether it has the field, in an object around the events.
  func has(_ field: Field) -> Bool { members.contains { $0.name == "\(field)" } }

  /// Whether a single event lies where an array of them is read.
  var hasLoneEvent: Bool { members.contains { $0.name == "events" && $0.value.members != nil } }

  /// The name of the field that is not read, and what it should be called; nil where nothing is near.
  func meant(for field: Field) -> (name: String, meant: String)? {
    let own = "\(field)"
    let near = members.map(\.name).first { name in
      !isRead(name) && (Self.isOther(name, for: field) || nearName(to: name, among: [own]) != nil)
    }
    if let near { return (near, own) }
    return list.map { ($0, "events") }
  }

  /// The field that holds events, in an object that is none.
  private var list: String? {
    guard !members.contains(where: { $0.name == "device" || $0.name == "stage" }) else { return nil }
    return members.first { $0.name != "events" && Self.holdsEvents($0.value) }?.name
  }

  private func isRead(_ name: String) -> Bool { withText(name) { Vocabulary.shared.fields.find($0) } != nil }

  private static func holdsEvents(_ value: JSONValue) -> Bool { value.array?.first?.members?.isEmpty == false }

  private static func isOther(_ name: String, for field: Field) -> Bool {
    let letters = letters(of: name)
    return letters == "\(field)".lowercased() || others[field]?.contains(letters) == true
  }

  private static let others: [Field: Set<String>] = [
    .device: ["deviceid", "deviceuuid", "installid", "installationid", "clientid", "uuid", "identifier"],
    .stage: ["event", "eventname", "state", "status", "step", "phase", "lifecycle", "action", "name"],
    .app: [
      "appid", "application", "applicationid", "bundle", "bundleid", "bundleidentifier", "package", "packagename",
    ],
    .release: ["version", "label", "releaseid", "releaselabel", "updateid", "bundleid", "hash", "build"],
  ]
}

extension Decoded {
  /// Bytes of refused events that are read again for it, of a whole body: nobody waits for more.
  private static let mostBytes = 1 << 14

  /// Tells of the fields that may have been meant, where one is missing.
  ///
  /// - Parameter isEnvelope: whether the body is an object around the events, which may have what they lack.
  mutating func lookBeside(_ body: UnsafeRawBufferPointer, _ place: Place, _ isEnvelope: Bool) {
    var left = Self.mostBytes
    let envelope = isEnvelope && body.count <= left ? Neighbours(Array(body)) : nil
    for number in rejections.indices where rejections[number].code == .missingField {
      let rejection = rejections[number]
      let bytes = rejection.place.lowerBound - place.offset..<rejection.place.upperBound - place.offset
      guard bytes.count <= left, bytes.lowerBound >= 0, bytes.upperBound <= body.count,
        let field = Field.allCases.first(where: { "\($0)" == rejection.field })
      else { continue }
      left -= bytes.count
      if envelope?.has(field) == true {
        rejections[number].message =
          "\"\(field)\" stands beside \"events\"; it belongs into each event, as \"app\" and \"device\" do"
        continue
      }
      let neighbours = Neighbours(Array(body[bytes]))
      if neighbours?.hasLoneEvent == true {
        rejections[number].message = "\"events\" must be an array, even of one event: {\"events\":[{…}]}"
        continue
      }
      guard let (name, meant) = neighbours?.meant(for: field) else { continue }
      let shown = withText(name, quoted)
      rejections[number].message += "; \(shown) is not read: did you mean \"\(meant)\"?"
    }
  }
}
