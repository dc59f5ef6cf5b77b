extension ShippedMap {
  static let amplitude = ShippedMap(
    "amplitude", "Amplitude: files of the Export API",
    #"""
    # Amplitude: the files of the Export API, gzip or not, once unzipped.
    # What its mobile clients report by themselves says when a build came from the store. Updates over the air are told by
    # events of your own with a property "release": put their names into the list.
    about = "Amplitude: files of the Export API"
    format = "jsonl"

    [event]
    device = "device_id"
    id = ["uuid", "$insert_id"]
    trigger = "event_properties.trigger"
    channel = "event_properties.channel"
    reason = "event_properties.reason"
    osVersion = "os_version"
    appVersion = "version_name"
    sdkVersion = "library"
    deviceModel = ["device_type", "device_model"]
    region = "country"

    [event.stage]
    path = "event_type"
    values = [
      ["[Amplitude] Application Installed", "check"], ["[Amplitude] Application Opened", "check"],
      ["[Amplitude] Application Updated", "applied"],
      ["Update Check", "check"], ["Update Available", "available"],
      ["Update Download Started", "downloadStarted"], ["Update Downloaded", "downloadCompleted"],
      ["Update Ready", "ready"], ["Update Applied", "applied"], ["Update Confirmed", "confirmed"],
      ["Update Failed", "failed"], ["Update Rolled Back", "rolledBack"],
    ]

    # By the device's clock; times of the export are UTC.
    [event.at]
    path = ["client_event_time", "event_time"]
    time = "2006-01-02 15:04:05"
    zone = "UTC"

    # A new build from the store runs as it came; else what the app names. An opening that names no release does not say what runs.
    [[event.release]]
    path = ['event_properties."[Amplitude] Version"', "version_name"]
    prefix = "store:"
    when = "event_type"
    is = ["[Amplitude] Application Installed", "[Amplitude] Application Updated"]
    [[event.release]]
    path = ["event_properties.release", "user_properties.release"]

    [event.from]
    path = 'event_properties."[Amplitude] Previous Version"'
    prefix = "store:"

    [event.platform]
    path = "os_name"
    values = [["ios", "ios"], ["ipados", "ios"], ["android", "android"], ["iOS", "ios"], ["Android", "android"]]
    """#)
}
