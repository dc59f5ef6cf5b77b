internal import Console

extension ShellCommand {
  /// About the devices that were asked about, as far as the question that it asks can be narrowed so.
  func narrowed(as asked: Parameters) -> ShellCommand {
    let taken = presentables.first { $0.usage.name == command }?.usage.options ?? []
    func shared(_ options: [Option]) -> [Option] {
      options.filter { option in asked.lists(option) && taken.contains { $0.name == option.name } }
    }
    let places = shared([.channel, .platform]).map { ($0.name, asked.texts($0).joined(separator: ",")) }
    let conditions = shared([.only]).flatMap { option in asked.texts(option).map { (option.name, Optional($0)) } }
    let flags = shared([.emulators] + Option.population).filter(asked.flag).map { ($0.name, String?.none) }
    return (conditions + flags).reduce(carrying(places.filter { !$0.1.isEmpty })) { $0.option($1.0, $1.1) }
  }
}
