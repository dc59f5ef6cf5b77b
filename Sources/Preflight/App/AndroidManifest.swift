internal import Ingest

/// An Android manifest: the app's own, or the one that all libraries' were merged into.
struct AndroidManifest {
  let path: String
  let root: XMLElement
  private let android: String
  private let tools: String

  init(_ file: AppFile) throws(FileProblem) {
    guard file.bytes.first != 0x03 else {
      throw FileProblem(
        found: "a manifest in binary, as an APK holds it", fix: "print it with: apkanalyzer manifest print app.apk")
    }
    do throws(XMLProblem) { root = try XMLReader.read(file.bytes, isFile: true) } catch {
      throw FileProblem(found: error.message, fix: "open it in Android Studio, which shows what is wrong")
    }
    guard root.name == "manifest" else {
      throw FileProblem(found: "no manifest", fix: "give an AndroidManifest.xml")
    }
    path = file.path
    android = Self.prefix("http://schemas.android.com/apk/res/android", root) ?? "android:"
    tools = Self.prefix("http://schemas.android.com/tools", root) ?? "tools:"
  }

  private static func prefix(_ space: String, _ root: XMLElement) -> String? {
    root.attributes.first { $0.key.hasPrefix("xmlns:") && $0.value == space }.map { $0.key.dropFirst(6) + ":" }
  }

  func at(_ what: String) -> String { "\(path): \(what)" }
  func value(_ name: String, _ element: XMLElement) -> String? { element[android + name] }
  func name(_ element: XMLElement) -> String { value("name", element) ?? "?" }
  /// Whether the merged manifest is to be without it.
  func isRemoved(_ element: XMLElement) -> Bool { element[tools + "node"]?.hasPrefix("remove") ?? false }

  var application: XMLElement? { root.children("application").first }
  var permissions: [XMLElement] { root.children.filter { $0.name.hasPrefix("uses-permission") } }
  func components(_ kinds: String...) -> [XMLElement] {
    (application?.children ?? []).filter { kinds.contains($0.name) }
  }
  func permission(_ name: String) -> XMLElement? {
    permissions.first { self.name($0) == "android.permission." + name }
  }
  func actions(_ component: XMLElement) -> [String] {
    component.children("intent-filter").flatMap { $0.children("action") }.map(name)
  }
}
