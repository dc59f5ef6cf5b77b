internal import Ingest
public import Lifecycle
public import Store

/// A device's id as it is hashed on arrival.
@Sendable public func hashed(_ keys: IdentityKeys, app: String, id: String) -> DeviceHash {
  keys.device(app: app, id: id)
}
