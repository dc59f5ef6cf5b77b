internal import Console

/// What `uptake help TOPIC` explains beside commands.
let topics: [Program.Topic] = [.definitions, .formatting, .environment, .exitCodes]
