// swift-tools-version: 6.2
import PackageDescription

/// Every module: warnings are errors, imports say what they leak.
let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]
/// Modules that touch no C: an unsafe expression must say so.
let safe = strict + [.strictMemorySafety()]

/// `make test` sets it: modules that compute are optimised, and keep their assertions. Compiling takes twice the time, testing
/// a third.
let optimised: Set<String> =
  Context.environment["UPTAKE_OPTIMISED"] == nil
  ? [] : ["Lifecycle", "Statistics", "Console", "Store", "Ingest", "Query", "Answers", "Simulate"]

/// Modules where no time is spent: a release is optimised for size there, which compiles sooner.
let small: Set<String> = ["Report", "Answers", "Warehouse", "Preflight", "Maps", "uptake"]

func optimisation(_ name: String) -> [SwiftSetting] {
  (optimised.contains(name)
    ? [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))] : [])
    + (small.contains(name) ? [.unsafeFlags(["-Osize"], .when(configuration: .release))] : [])
}
func module(_ name: String, _ dependencies: [Target.Dependency] = [], _ settings: [SwiftSetting] = safe) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings + optimisation(name))
}
func tests(_ module: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
  .testTarget(name: module + "Tests", dependencies: dependencies, resources: resources, swiftSettings: strict)
}
func systemLibrary(_ name: String, pkgConfig: String, apt: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt])])
}

let package = Package(
  name: "uptake",
  products: [.executable(name: "uptake", targets: ["uptake"])],
  targets: [
    systemLibrary("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
    systemLibrary("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
    systemLibrary("CBrotli", pkgConfig: "libbrotlidec", apt: "libbrotli-dev"),
    systemLibrary("CZstd", pkgConfig: "libzstd", apt: "libzstd-dev"),
    systemLibrary("CMicrohttpd", pkgConfig: "libmicrohttpd", apt: "libmicrohttpd-dev"),
    systemLibrary("CGnuTLS", pkgConfig: "gnutls", apt: "libgnutls28-dev"),
    systemLibrary("CSodium", pkgConfig: "libsodium", apt: "libsodium-dev"),
    .target(
      name: "CPageChecksums", dependencies: ["CSQLite"],
      cSettings: [.unsafeFlags(["-O2"], .when(configuration: .debug))]),
    .target(name: "CSimdjson", linkerSettings: [.linkedLibrary("simdjson")]),

    module("Locks", [], strict),
    module("Lifecycle"),
    module("Statistics"),
    module("Console", ["Lifecycle"]),
    module("Store", ["Locks", "Lifecycle", "Statistics", "CPageChecksums", "CSQLite", "CSodium", "CZlib"], strict),
    module("HTTP", ["Locks", "Lifecycle", "CMicrohttpd", "CGnuTLS", "CZlib"], strict),
    module("Ingest", ["Locks", "Lifecycle", "Store", "CSimdjson", "CZlib", "CBrotli", "CZstd", "CSodium"], strict),
    module("Query", ["Lifecycle", "Statistics", "Console", "Store"]),
    module("Report", ["Lifecycle", "Statistics", "Console", "Query", "CSodium"]),
    module("Answers", ["Lifecycle", "Statistics", "Console", "Store", "Query"]),
    module(
      "Server", ["Locks", "Lifecycle", "Console", "Store", "HTTP", "Ingest", "Query", "Report", "Answers"], strict),
    module("Warehouse", ["Locks", "Lifecycle", "Store", "HTTP"]),
    module("Simulate", ["Lifecycle"]),
    module("Preflight", ["Lifecycle", "Ingest"]),
    module("Maps", ["Console", "Ingest"]),
    .executableTarget(
      name: "uptake",
      dependencies: [
        "Locks", "Lifecycle", "Statistics", "Console", "Store", "HTTP", "Ingest", "Query", "Report", "Answers",
        "Server", "Simulate", "Preflight", "Warehouse", "Maps",
      ],
      swiftSettings: strict + optimisation("uptake")),
    .executableTarget(
      name: "bench-decode", dependencies: ["CSimdjson", "Ingest", "Lifecycle", "Store"], path: "bench/decode",
      swiftSettings: strict),
    .executableTarget(
      name: "bench-generate", dependencies: ["Ingest", "Lifecycle", "Query", "Store"], path: "bench/generate",
      swiftSettings: strict),
    .target(
      name: "CoverageStudy", dependencies: ["Ingest", "Lifecycle", "Query", "Simulate", "Statistics", "Store"],
      path: "bench/coverage/Study", swiftSettings: strict),
    .executableTarget(
      name: "bench-coverage", dependencies: ["CoverageStudy"], path: "bench/coverage/Main", swiftSettings: strict),

    .target(
      name: "FuzzReaders", dependencies: ["Console", "HTTP", "Ingest", "Lifecycle", "Maps", "Report", "Store"],
      path: "fuzz/Input", swiftSettings: strict),

    .target(name: "SimulatedDisk", dependencies: ["CSQLite"], path: "Tests/SimulatedDisk"),

    tests("Lifecycle", ["Lifecycle"]),
    tests("Statistics", ["Statistics"], resources: [.copy("Reference")]),
    tests("Console", ["Console", "Lifecycle"]),
    tests("Store", ["Store", "Lifecycle", "SimulatedDisk"]),
    tests("HTTP", ["HTTP", "Locks"]),
    tests("Ingest", ["Ingest", "Lifecycle", "Locks", "Store", "CSimdjson", "CZlib", "CZstd"]),
    tests(
      "Query", ["Query", "Store", "Ingest", "Statistics", "Lifecycle"],
      resources: [.copy("Reference"), .copy("Scenarios")]),
    tests("Report", ["Report", "Query", "Statistics", "Lifecycle", "Console"]),
    tests("Answers", ["Answers", "Console", "Ingest", "Lifecycle", "Query", "Simulate", "Statistics", "Store"]),
    tests(
      "Server",
      ["Server", "Answers", "Console", "HTTP", "Ingest", "Lifecycle", "Locks", "Report", "Store", "SimulatedDisk"]),
    tests("Warehouse", ["Warehouse", "HTTP", "Store", "Lifecycle"]),
    tests("Simulate", ["Simulate", "Lifecycle"]),
    tests("Preflight", ["Preflight", "Ingest"]),
    tests("Maps", ["Maps", "Console", "Ingest", "Lifecycle", "Store"]),
    tests("Coverage", ["CoverageStudy", "Query", "Simulate"]),
    tests("EndToEnd", ["uptake"]),
    tests("Architecture", []),
    tests("Fuzz", ["FuzzReaders"]),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)

// `make check MODULE=Store` sets it: then there is one module's tests and what they stand on, and nothing else is built.
if let module = Context.environment["UPTAKE_CHECK"] {
  var (kept, waiting) = (Set<String>(), [module + "Tests"])
  while let name = waiting.popLast() {
    guard kept.insert(name).inserted else { continue }
    for dependency in package.targets.first(where: { $0.name == name })?.dependencies ?? [] {
      if case .byNameItem(let name, _) = dependency { waiting.append(name) }
    }
  }
  package.targets.removeAll { !kept.contains($0.name) }
  if !kept.contains("uptake") { package.products = [] }
}

// `scripts/check-fuzz` sets it: then there are programs that fuzz, and no others.
if Context.environment["UPTAKE_FUZZ"] != nil {
  let entry = strict + [SwiftSetting.unsafeFlags(["-parse-as-library"])]
  package.products = []
  package.targets.removeAll { $0.name == "uptake" || $0.type == .test }
  package.targets += [
    .executableTarget(
      name: "fuzz-input", dependencies: ["FuzzReaders"], path: "fuzz/Main", swiftSettings: entry),
    .executableTarget(
      name: "fuzz-service", dependencies: ["Console", "HTTP", "Lifecycle", "Server"], path: "fuzz/Service",
      swiftSettings: entry),
  ]
}
