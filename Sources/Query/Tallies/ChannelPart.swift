import Lifecycle
import Store

/// The devices of one channel that are asked about.
struct ChannelPart {
  private let selection: Selection
  /// nil where no device named it.
  let channel: Int64?
  private let slices: DeviceSlices
  /// By the number of a platform.
  private let platforms: [Bool]

  init(_ vocabulary: Vocabulary, _ selection: Selection, _ channel: String) {
    let profiles = ProfileTable(vocabulary)
    self.selection = selection
    self.channel = vocabulary.names.first { $0.value == channel }?.key
    slices = DeviceSlices(profiles, by: [], only: selection.only)
    platforms = profiles.platforms.map { selection.includes(Group(channel: channel, platform: $0)) }
  }

  var needs: DeviceColumns { slices.needs }

  func includes(_ index: Int, _ page: borrowing ShardPage, at instant: Timestamp) -> Bool {
    page.devices.channels[index] == channel && platforms[Int(page.platforms[index])]
      && (selection.includesEmulators || !page.emulators[index])
      && slices.number(page.devices, index, at: instant.rawValue) >= 0
  }
}
