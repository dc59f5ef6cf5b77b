/// The state of the app when the system called it about a push.
public enum AppState: String, CaseIterable, Sendable { case background, inactive, active, notRunning }

/// Tells a push that arrived from a push that the user tapped; iOS reports both through one delegate method.
public enum PushCallback {
  /// The trigger of a `pushReceived`, or nil where the app's state does not tell.
  ///
  /// In the background, or inactive while not being started, the system woke the app: the push arrived. Inactive while
  /// starting means that a tap launched it. Active means it came while the app was in use. An app that was not running
  /// and is being started in the foreground was tapped; one that is not was woken.
  public static func trigger(appState: AppState?, isStarting: Bool?) -> Trigger? {
    switch (appState, isStarting) {
    case (.background, _): .silentPush
    case (.inactive, true): .foreground
    case (.inactive, false), (.inactive, nil): .silentPush
    case (.active, _): .foreground
    case (.notRunning, true): .foreground
    case (.notRunning, false), (.notRunning, nil): .silentPush
    case (nil, _): nil
    }
  }
}
