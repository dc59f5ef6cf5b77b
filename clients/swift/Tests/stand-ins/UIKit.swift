// What docs/clients/own-swift.md uses of UIKit and BackgroundTasks, so that the page is compiled where neither is.
import Foundation

@MainActor class UIApplication {
  enum State { case active, inactive, background }
  struct LaunchOptionsKey: Hashable {}
  var applicationState = State.active
  nonisolated static let willEnterForegroundNotification = Notification.Name("willEnterForeground")
  nonisolated static let didBecomeActiveNotification = Notification.Name("didBecomeActive")
  nonisolated static let didEnterBackgroundNotification = Notification.Name("didEnterBackground")
}
enum UIBackgroundFetchResult { case newData, noData, failed }
@MainActor protocol UIApplicationDelegate {
  func application(_: UIApplication, didFinishLaunchingWithOptions _: [UIApplication.LaunchOptionsKey: Any]?) -> Bool
  func application(_: UIApplication, didReceiveRemoteNotification _: [AnyHashable: Any]) async
    -> UIBackgroundFetchResult
}
class BGTask: @unchecked Sendable {
  var expirationHandler: (() -> Void)?
  func setTaskCompleted(success: Bool) {}
}
final class BGTaskScheduler: Sendable {
  static let shared = BGTaskScheduler()
  @discardableResult func register(
    forTaskWithIdentifier: String, using: DispatchQueue?, launchHandler: @escaping @Sendable (BGTask) -> Void
  ) -> Bool { true }
}
