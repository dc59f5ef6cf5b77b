internal import Store

/// `s3://BUCKET/PREFIX`, `exec:COMMAND`, or a folder.
func copyTarget(_ address: String) throws(StoreError) -> any CopyTarget {
  if address.hasPrefix("s3://") { return try S3Target(address, try S3Access(address)) }
  if address.hasPrefix("exec:") { return CommandTarget(address) }
  guard !address.contains("://") else { throw StoreError.copy(.badAddress("its scheme is not known"), address) }
  return FolderTarget(address)
}
