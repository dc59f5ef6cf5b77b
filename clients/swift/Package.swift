// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "Uptake",
  platforms: [.iOS(.v14), .watchOS(.v7), .macOS(.v11), .tvOS(.v14)],
  products: [.library(name: "Uptake", targets: ["Uptake"])],
  targets: [
    .target(name: "Uptake"),
    .executableTarget(
      name: "probe", dependencies: ["Uptake"], path: "Tests/probe", swiftSettings: [.swiftLanguageMode(.v5)]),
  ]
)
