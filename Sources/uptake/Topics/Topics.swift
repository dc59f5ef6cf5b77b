internal import Console

/// What `uptake help TOPIC` explains beside commands.
let topics: [Program.Topic] = [.definitions, .censoring, .mechanisms, .verdict, .formatting, .environment, .exitCodes]
