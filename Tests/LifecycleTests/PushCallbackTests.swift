import Lifecycle
import Testing

@Suite struct PushCallbackTests {
  struct Row: Sendable {
    var appState: AppState?
    var isStarting: Bool?
    var trigger: Trigger?
  }

  static let rows = [
    Row(appState: .background, isStarting: nil, trigger: .silentPush),
    Row(appState: .background, isStarting: false, trigger: .silentPush),
    Row(appState: .background, isStarting: true, trigger: .silentPush),
    Row(appState: .inactive, isStarting: nil, trigger: .silentPush),
    Row(appState: .inactive, isStarting: false, trigger: .silentPush),
    Row(appState: .inactive, isStarting: true, trigger: .foreground),
    Row(appState: .active, isStarting: nil, trigger: .foreground),
    Row(appState: .active, isStarting: false, trigger: .foreground),
    Row(appState: .active, isStarting: true, trigger: .foreground),
    Row(appState: .notRunning, isStarting: nil, trigger: .silentPush),
    Row(appState: .notRunning, isStarting: false, trigger: .silentPush),
    Row(appState: .notRunning, isStarting: true, trigger: .foreground),
    Row(appState: nil, isStarting: nil, trigger: nil),
    Row(appState: nil, isStarting: true, trigger: nil),
  ]

  @Test(arguments: rows) func classifies(_ row: Row) {
    #expect(PushCallback.trigger(appState: row.appState, isStarting: row.isStarting) == row.trigger)
  }
}
