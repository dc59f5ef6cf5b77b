internal import Console

extension LookedChannels {
  /// nil where all are looked at.
  var warning: Warning? {
    guard !leftOut.isEmpty else { return nil }
    let some = leftOut.prefix(3).map(named).joined(separator: ", ") + (leftOut.count > 3 ? ", …" : "")
    let are = leftOut.count == 1 ? "1 more channel is" : "\(grouped(leftOut.count)) more channels are"
    return Warning(
      Warning.channelsLeftOut,
      "\(are) not looked at (\(some)): of channels that nobody registered a release on, the first \(Self.mostUnregistered) that devices"
        + " named are; anybody with the app's ingest key can make some up: register a release on what is yours, or name it with"
        + " --channel")
  }
}

extension Warning {
  /// Nobody registered a release on them, and there are too many.
  public static let channelsLeftOut = "channels_left_out"
}
