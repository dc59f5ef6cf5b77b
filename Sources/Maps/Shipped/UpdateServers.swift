extension ShippedMap {
  static let updateServers = [
    electronUpdater("electron-updater", .combined(header: "http_x_user_staging_id")),
    electronUpdater("electron-updater-caddy", .caddy),
    sparkle("sparkle", .combined()), sparkle("sparkle-caddy", .caddy),
    tauri("tauri", .combined()), tauri("tauri-caddy", .caddy),
  ]

  private static func electronUpdater(_ name: String, _ log: AccessLog) -> ShippedMap {
    let about = "electron-updater's requests (latest.yml) in access logs of \(log.name)"
    return ShippedMap(
      name, about,
      """
      # electron-updater names its installation in a header, which the log has to hold. For nginx:
      #   log_format updates '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent '
      #                      '"$http_referer" "$http_user_agent" "$http_x_user_staging_id"';
      # Caddy's JSON log holds it as it is. Name the app with --app. What runs is not in these requests.
      about = "\(about)"
      \(log.head)

      [event.device]
      path = "\(log.header("X-User-Staging-Id", nginx: "http_x_user_staging_id"))"

      \(log.stage("$_.yml$_", "check"))
      \(log.downloads([".zip", ".dmg", ".exe", ".AppImage", ".deb", ".rpm"]))

      # Channels are files of their own: beta.yml, beta-mac.yml, beta-linux.yml.
      [[event.channel]]
      path = "\(log.request.path)"
      pattern = "\(log.request.before)$_/beta$_.yml$_\(log.request.after)"
      value = "beta"
      [[event.channel]]
      path = "\(log.request.path)"
      pattern = "\(log.request.before)$_/alpha$_.yml$_\(log.request.after)"
      value = "alpha"

      \(platform(log, [("-mac.yml$_", "macos"), ("-linux$_.yml$_", "linux"), (".yml$_", "windows")]))
      """)
  }

  private static func sparkle(_ name: String, _ log: AccessLog) -> ShippedMap {
    let about = "Sparkle's requests (appcast.xml) in access logs of \(log.name)"
    return ShippedMap(
      name, about,
      """
      # Sparkle names the version that runs in its User-Agent, and no installation. The address stands in: people behind one
      # address are one device, one that moves is several. Better: let the app put an id into the address of its feed
      # (feedParametersForUpdater), and write path = "\(log.request.path)?device" for the device; then take the downloads out,
      # which do not hold it. Name the app with --app.
      about = "\(about)"
      \(log.head)

      [[only]]
      path = "\(log.agent)"
      pattern = "$_ Sparkle/$_"

      [event.device]
      join = ["\(log.address)"]

      \(log.stage("$_.xml", "check"))
      \(log.stage("$_.xml?$_", "check"))
      \(log.downloads([".zip", ".dmg", ".tar.xz", ".pkg", ".aar"]))
      [[event.release]]
      path = "\(log.agent)"
      pattern = "$_/$value Sparkle/$_"

      [event.platform]
      value = "macos"

      [event.osVersion]
      path = "\(log.request.path)?osVersion"

      [event.deviceModel]
      path = "\(log.request.path)?model"
      """)
  }

  private static func tauri(_ name: String, _ log: AccessLog) -> ShippedMap {
    let about = "Tauri's update checks in access logs of \(log.name)"
    let systems = [("darwin", "macos"), ("linux", "linux"), ("windows", "windows")]
    let checks = systems.map { system, _ in
      log.stage("$_/\(system)/$_/$_", "check") + "\n" + log.version("$_/\(system)/$_/$value")
    }
    return ShippedMap(
      name, about,
      """
      # Tauri's updater at an endpoint …/{{target}}/{{arch}}/{{current_version}}: the version in it is the one that runs. It
      # names no installation. The address stands in: people behind one address are one device, one that moves is several.
      # Better: let the app send an id in a header, log that, and name it below. Name the app with --app.
      about = "\(about)"
      \(log.head)

      [event.device]
      join = ["\(log.address)"]

      \(log.downloads([".app.tar.gz", ".AppImage", ".AppImage.tar.gz", ".msi", ".msi.zip", ".exe", ".nsis.zip"]))
      \(checks.joined(separator: "\n"))

      \(platform(log, systems.map { ("/\($0)/$_", $1) }))
      """)
  }

  private static func platform(_ log: AccessLog, _ ends: [(end: String, platform: String)]) -> String {
    ends.map { end, platform in
      """
      [[event.platform]]
      path = "\(log.request.path)"
      pattern = "\(log.request.before)$_\(end)\(log.request.after)"
      value = "\(platform)"
      """
    }.joined(separator: "\n")
  }
}
