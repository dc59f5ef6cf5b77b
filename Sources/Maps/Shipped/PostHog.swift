extension ShippedMap {
  static let posthog = ShippedMap(
    "posthog", "PostHog: batch exports and file downloads as JSON lines",
    lifecycle(
      about: "PostHog: batch exports and file downloads as JSON lines",
      """
      # PostHog: events as JSON lines (batch exports to S3 and others, file downloads).
      [event]
      device = ["properties.$device_id", "distinct_id"]
      app = "properties.$app_namespace"
      id = "uuid"
      trigger = "properties.trigger"
      channel = "properties.channel"
      reason = "properties.reason"
      osVersion = "properties.$os_version"
      appVersion = "properties.$app_version"
      sdkVersion = "properties.$lib_version"
      deviceModel = "properties.$device_model"
      region = "properties.$geoip_country_code"

      # RFC 3339; exports that leave the zone out mean UTC.
      [[event.at]]
      path = "timestamp"
      pattern = "$_Z"
      [[event.at]]
      path = "timestamp"
      pattern = "$_+$_"
      [[event.at]]
      path = "timestamp"
      pattern = "$_T$_-$_"
      [[event.at]]
      path = "timestamp"
      pattern = "$_T$_"
      time = "2006-01-02T15:04:05"
      zone = "UTC"
      [[event.at]]
      path = "timestamp"
      time = "2006-01-02 15:04:05"
      zone = "UTC"

      [event.network]
      path = "properties.$network_wifi"
      values = [["true", "wifi"], ["false", "cellular"]]

      [event.platform]
      path = "properties.$os_name"
      values = [["iOS", "ios"], ["iPadOS", "ios"], ["Android", "android"]]
      """, version: "properties.$app_version"))
}
