extension ShippedMap {
  /// Rows of `events_*` in BigQuery, exported as newline-delimited JSON. Firebase's events are the same.
  static let ga4 = ShippedMap(
    "ga4", "Google Analytics 4 and Firebase: the BigQuery export as JSON lines",
    #"""
    # Google Analytics 4 and Firebase: rows of the BigQuery export (events_YYYYMMDD) as JSON lines.
    #   bq extract --destination_format=NEWLINE_DELIMITED_JSON --compression=GZIP project:analytics_1.events_20240304 gs://…
    # What Firebase logs by itself says when a build came from the store. Updates over the air are told by events of your
    # own with a parameter "release": put their names into the list.
    about = "Google Analytics 4 and Firebase: the BigQuery export as JSON lines"
    format = "jsonl"

    [[skip]]
    path = "platform"
    is = ["WEB"]

    [event]
    device = "user_pseudo_id"
    app = "app_info.id"
    trigger = "event_params[key=trigger].value.string_value"
    channel = "event_params[key=channel].value.string_value"
    reason = "event_params[key=reason].value.string_value"
    osVersion = "device.operating_system_version"
    appVersion = "app_info.version"
    deviceModel = ["device.mobile_marketing_name", "device.mobile_model_name"]
    region = "geo.country"

    [event.stage]
    path = "event_name"
    values = [
      ["first_open", "check"], ["session_start", "check"], ["app_update", "applied"],
      ["update_check", "check"], ["update_available", "available"],
      ["update_download_started", "downloadStarted"], ["update_downloaded", "downloadCompleted"],
      ["update_ready", "ready"], ["update_applied", "applied"], ["update_confirmed", "confirmed"],
      ["update_failed", "failed"], ["update_rolled_back", "rolledBack"],
    ]

    [event.at]
    path = "event_timestamp"
    time = "us"

    # A new build from the store runs as it came; else what the app names. A session that names no release does not say what runs.
    [[event.release]]
    path = "app_info.version"
    prefix = "store:"
    when = "event_name"
    is = ["first_open", "app_update"]
    [[event.release]]
    path = "event_params[key=release].value.*"
    [[event.release]]
    path = "user_properties[key=release].value.*"

    [event.from]
    path = "event_params[key=previous_app_version].value.string_value"
    prefix = "store:"

    [event.platform]
    path = "platform"
    values = [["IOS", "ios"], ["ANDROID", "android"]]
    """#)
}
