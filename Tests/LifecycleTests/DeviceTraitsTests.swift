import Lifecycle
import Testing

struct DeviceTraitsTests {
  @Test func theSameTraitsAreTheSameText() {
    var one = DeviceTraits()
    one[DeviceTraits.region] = "DE"
    one["tag:plan"] = "pro=2"
    one[DeviceTraits.deviceModel] = "iPhone15,2"
    #expect(one.text == "deviceModel=iPhone15,2\nregion=DE\ntag:plan=pro=2")
    #expect(DeviceTraits(one.text) == one)
    #expect(DeviceTraits().text == nil && DeviceTraits(nil).values.isEmpty)
  }

  @Test func oneIsReadWithoutTheOthers() {
    let text = "region=DE\ntag:plan=pro=2\ntag:plans=3"
    #expect(DeviceTraits.value("tag:plan", in: text) == "pro=2")
    #expect(DeviceTraits.value("tag:plans", in: text) == "3")
    #expect(DeviceTraits.value("tag:pla", in: text) == nil)
    #expect(DeviceTraits.value("region", in: nil) == nil)
  }

  /// No value can pass for another line.
  @Test func aLineBreakEndsNothing() {
    var traits = DeviceTraits()
    traits[DeviceTraits.region] = "DE\ntag:plan=pro"
    #expect(DeviceTraits(traits.text).values == ["region": "DE tag:plan=pro"])
  }

  @Test(arguments: [("plan", true), ("a.b-c_9", true), ("", false), ("a b", false), ("a=b", false), ("ä", false)])
  func namesOfTags(_ name: String, _ isOne: Bool) { #expect(DeviceTraits.isTagName(name) == isOne) }
}
