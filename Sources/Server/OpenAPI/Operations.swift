internal import Answers
internal import Console
internal import Lifecycle

extension OpenAPI {
  /// What each of our own routes takes and answers. A route without a row is one of another system's clients.
  static let operations: [String: Operation] = [
    "POST /v1/events": Operation(
      "Stores events; answered once they are on disk",
      parameters: [
        .header("X-Uptake-Attestation", "A token that proves what the device is; verified beside the request"),
        .header("X-Uptake-Device", "The device that the token stands for, as the events name it"),
        .header("X-Uptake-Sent-At", "When the client sent it, by its clock: RFC 3339, or milliseconds since 1970"),
      ] + besideEvents, body: eventsBody,
      answers: [
        200: .schema("Something was stored, or was stored already", .reference("Stored")),
        400: .schema("Nothing could be read, taken or held", ["anyOf": [.reference("Stored"), .reference("Problem")]]),
        403: .schema("The key is for another app", ["anyOf": [.reference("Stored"), .reference("Problem")]]),
        415: .problem("Another type or encoding than JSON, NDJSON, gzip, deflate and zstd"),
        503: .problem("Not stored: the disk, the queue or the service itself; send it again"),
      ]),
    "GET /v1/releases": Operation(
      "The publications of the key's app", parameters: [.asked("app", "Only of this app")],
      answers: [
        200: .schema("All of them", publications), 503: .problem("The database cannot be read now, or too many ask"),
      ]),
    "GET /v1/releases/{release}": Operation(
      "One publication, as it is registered",
      parameters: publicationPlace("On this channel; production where it is not given") + publicationConditions,
      answers: [
        200: .tagged("As it is registered", .reference("Publication")),
        304: .nothing("It is what If-None-Match names"), 404: .problem("It is not registered there"), 412: changed,
        503: .problem("The database cannot be read now, or too many ask"),
      ]),
    "PUT /v1/releases/{release}": Operation(
      "Registers a publication, or corrects it",
      parameters: [.place("release", ["type": "string"])] + publicationConditions,
      body: [
        "required": true, "content": ["application/json": ["schema": .reference("Publication")]],
      ],
      answers: [
        200: .tagged("As it is registered now, and what looks like a slip", .reference("Registered")), 412: changed,
        503: .problem("The database cannot be written now, or too many ask"),
      ]),
    "DELETE /v1/releases/{release}": Operation(
      "Takes back a publication that was registered by mistake",
      parameters: publicationPlace("From this channel; production where it is not given") + publicationConditions,
      answers: [
        200: .tagged("As it was registered", .reference("Publication")),
        404: .problem("It is not registered there"), 412: changed,
        503: .problem("The database cannot be written now, or too many ask"),
      ]),
    "GET /v1/answers/devices": Operation(
      "The single devices that stand at a stage of a release, by their hashes: needs a key of scope devices",
      parameters: questionParameters(questions.filter { $0.name == "devices" }),
      answers: [
        200: .schema("The answer", .reference("Answer")),
        404: .problem("Nothing is stored"), 500: ended,
        503: .problem("Too many questions, or this one takes too long, or the database cannot be read"),
      ]),
    "GET /v1/answers/{question}": Operation(
      "The JSON that `uptake QUESTION --format json` prints; its schemas are those of `uptake schema QUESTION`",
      parameters: [.place("question", ["enum": .array(questions.map { .string($0.name) })])]
        + questionParameters(questions),
      answers: [
        200: .schema("The answer", .reference("Answer")),
        404: .problem("There is no such question, or nothing is stored"), 500: ended,
        503: .problem("Too many questions, or this one takes too long, or the database cannot be read"),
      ]),
    "GET /v1/pulse": Operation(
      "Whether answers may have changed since another reading, and how many events of the app come in",
      parameters: [.asked("app", "Of this app")],
      answers: [
        200: .schema("The version, and events per second", ["type": "object", "required": ["schema", "version"]]),
        404: .problem("A warehouse is asked, which holds no single events"),
        503: .problem("The database cannot be read now, or too many ask"),
      ]),
    "GET /v1/arm": Operation(
      "The arm of a device in a random experiment, by the rule that clients have; nothing is stored",
      parameters: [
        .asked("device", "The device, as its client sends it"), .asked("experiment", "The experiment's name"),
        .asked("arms", "Its arms and their per cents, such as holdout:5,push:95"),
      ],
      answers: [200: .schema("The arm; null for a device that is in none", ["type": "object"])]),
    "GET /v1/gate": Operation(
      "The verdict, with a status that says whether to go on: what `GET /v1/answers/verdict` answers",
      parameters: questionParameters([.verdict]), answers: gateAnswers),
    "POST /v1/gate": Operation(
      "The same, for hooks that post what they are about; the key may come as the password of HTTP Basic",
      parameters: questionParameters([.verdict]), body: ["content": ["application/json": ["schema": [:]]]],
      answers: gateAnswers),
    "GET /v1/devices/{device}/breadcrumbs": Operation(
      "What one device went through, as `uptake breadcrumbs DEVICE` prints it; also in the words of a crash reporter",
      parameters: [
        .place("device", ["type": "string"]), .asked("app", "Of this app"),
        .asked("format", "json, sentry, bugsnag or crashlytics"), .asked("limit", "Only the newest so many steps"),
        .asked("now", "Use this time as now"),
      ],
      answers: [
        200: .schema("The trail; empty for a device that nobody heard of", ["type": "object"]),
        404: .problem("Nothing is stored"), 500: ended,
        503: .problem("Too many questions, or this one takes too long, or the database cannot be read"),
      ]),
    "DELETE /v1/devices/{device}": Operation(
      "Forgets a device of the key's app, by the id that its client sends",
      parameters: [.place("device", ["type": "string"]), .asked("app", "The app, where no key was ever made")],
      answers: [
        200: .schema("What was removed", ["type": "object", "required": ["schema", "data"]]),
        404: .problem("Nothing is known of that device"),
        503: .problem("The database cannot be written now"),
      ]),
    "GET /v1/audit": Operation(
      "Who published, forgot, made or revoked keys of the key's app; the newest first",
      parameters: [
        .asked("app", "The app, where no key was ever made"),
        .asked("since", "Only what was done at this time or later"),
        .asked("until", "Only what was done before this time"),
        .asked("last", "Show only this many of the newest entries"),
      ],
      answers: [
        200: .schema("The entries", ["type": "object", "required": ["schema", "data"]]),
        503: .problem("The database cannot be read now, or too many ask"),
      ]),
    "GET /healthz": Operation("Whether the process lives", answers: [200: .text("It does")]),
    "GET /readyz": Operation(
      "Whether an event that came now would be stored",
      answers: [200: .text("It would"), 503: .problem("It would not, and why")]),
    "GET /metrics": Operation("Counters for Prometheus", answers: [200: .text("In Prometheus' text format")]),
    "GET /openapi.json": Operation("This document", answers: [200: .schema("It", ["type": "object"])]),
  ]

  private static func publicationPlace(_ channel: String) -> [JSON] {
    [
      .place("release", ["type": "string"]), .asked("app", "Of this app"), .asked("channel", channel),
      .asked("platform", "The one for this platform; the one for all where it is not given"),
    ]
  }

  private static let publicationConditions: [JSON] = [
    .header("If-Match", "Only where one of these ETags, or with * anything, is registered there"),
    .header("If-None-Match", "Only where none of these ETags, or with * nothing, is registered there"),
  ]

  private static let changed = Operation.Answer.problem(
    "It is not as If-Match or If-None-Match say: nothing was changed, and the message says what is registered there")

  private static let ended = Operation.Answer.problem(
    "The question failed, or ended the process that answered it; the log tells more under the number that is named")

  private static let gateAnswers: [Int: Operation.Answer] = [
    200: .schema("Go on", .reference("Answer")), 412: .schema("Wait, or stop", .reference("Answer")),
    404: .problem("Nothing is stored"), 500: ended,
    503: .problem("Too many questions, or this one takes too long, or the database cannot be read"),
  ]

  /// What holds for all events that do not say it themselves.
  private static let besideEvents: [JSON] = [
    ("app", "The app"), ("channel", "The channel"), ("platform", "The platform"), ("trigger", "What started the work"),
  ].flatMap { name, what -> [JSON] in
    let schema: JSON = name == "trigger" ? words(Trigger.self) : ["type": "string"]
    let header = "X-Uptake-" + name.prefix(1).uppercased() + name.dropFirst()
    return [
      .header(header, what + " of events that do not say it", schema),
      .asked(name, "The same; the header goes before it", schema),
    ]
  }

  private static let eventsBody: JSON = [
    "required": true,
    "content": [
      "application/json": [
        "schema": [
          "anyOf": [
            .reference("Event"), ["type": "array", "items": .reference("Event")],
            [
              "type": "object", "required": ["events"],
              "properties": ["sentAt": instant, "events": ["type": "array", "items": .reference("Event")]],
            ],
          ]
        ]
      ],
      "application/x-ndjson": ["schema": ["type": "string"]],
    ],
  ]

  private static let publications: JSON = [
    "type": "object", "required": ["schema", "data"],
    "properties": ["data": ["type": "array", "items": .reference("Publication")]],
  ]

  /// Each once, though several questions know it.
  private static func questionParameters(_ questions: [QuestionCommand]) -> [JSON] {
    var seen: Set<String> = []
    return questions.flatMap { question in
      question.arguments.map { ($0.parameterName, $0.help) } + question.askable.map { ($0.name, $0.help) }
    }.filter { seen.insert($0.0).inserted }.map { .asked($0.0, $0.1) }
  }
}
