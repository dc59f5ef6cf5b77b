// The app of docs/clients/own-swift.md on these stand-ins, a word for each entry: what it answers, and at last what a scope is of.
import Foundation

@main @MainActor struct Drive {
  static func main() async throws {
    let support = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)[0]
    let (application, delegate) = (UIApplication(), AppDelegate())
    application.applicationState = .background
    // What stands in the folder's place cannot be read as one.
    _ = FileManager.default.createFile(atPath: support.appendingPathComponent("uptake").path, contents: nil)
    _ = delegate.application(application, didFinishLaunchingWithOptions: nil)
    var said = [await entries(application, delegate)]
    try FileManager.default.removeItem(at: support.appendingPathComponent("uptake"))
    said.append(await entries(application, delegate))
    let (active, background) = (UIApplication.didBecomeActiveNotification, UIApplication.didEnterBackgroundNotification)
    for name in [active, active, background] {
      await Task.detached { NotificationCenter.default.post(name: name, object: nil) }.value
      try await Task.sleep(nanoseconds: 200_000_000)
      said.append(await measuring.client()?.current.trigger.rawValue ?? "none")
    }
    print(said.joined(separator: " "))
  }

  /// A push, then a background task, and whether there is a client.
  private static func entries(_ application: UIApplication, _ delegate: AppDelegate) async -> String {
    let push = await delegate.application(application, didReceiveRemoteNotification: [:])
    let task = BGTask()
    BGTaskScheduler.shared.handler?(task)
    for _ in 0..<500 where task.completed == nil { try? await Task.sleep(nanoseconds: 10_000_000) }
    return "\(push),\(task.completed.map(String.init) ?? "never"),\(await measuring.client() != nil)"
  }
}
