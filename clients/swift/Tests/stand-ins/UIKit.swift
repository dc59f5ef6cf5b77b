// What docs/clients/own-swift.md uses of UIKit and BackgroundTasks, so that the page is compiled and run where neither is.
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
  private(set) var completed: Bool?
  func setTaskCompleted(success: Bool) { completed = success }
}
final class BGTaskScheduler: @unchecked Sendable {
  static let shared = BGTaskScheduler()
  private(set) var handler: (@Sendable (BGTask) -> Void)?
  @discardableResult func register(
    forTaskWithIdentifier: String, using: DispatchQueue?, launchHandler: @escaping @Sendable (BGTask) -> Void
  ) -> Bool {
    handler = launchHandler
    return true
  }
}
