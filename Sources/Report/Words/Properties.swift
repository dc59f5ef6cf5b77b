internal import Lifecycle

/// What devices differ in, in words.
func propertyWords(_ name: String) -> String {
  switch name {
  case "appVersion": "app version"
  case "osVersion": "system"
  case "sdkVersion": "SDK"
  case "deviceModel": "model"
  default: name.hasPrefix(DeviceTraits.tag) ? String(name.dropFirst(DeviceTraits.tag.count)) : name
  }
}
