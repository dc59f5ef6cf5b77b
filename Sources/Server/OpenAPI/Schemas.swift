internal import Answers
internal import Console

/// The bodies that several routes share.
extension OpenAPI {
  static let problem: JSON = [
    "type": "object", "required": ["error"],
    "properties": [
      "error": [
        "type": "object", "required": ["code", "message"],
        "properties": ["code": ["type": "string"], "message": ["type": "string"]],
      ]
    ],
  ]

  static let stored: JSON = [
    "type": "object", "required": ["accepted", "duplicate", "rejected", "errors"],
    "properties": [
      "accepted": count, "duplicate": count, "rejected": count,
      "unread": ["type": "boolean", "description": "The body broke off: what came after the last error was not read"],
      "ignored": [
        "type": "array", "maxItems": 5, "items": ["type": "string"],
        "description": "The first names of fields that are not read",
      ],
      "errors": [
        "type": "array", "maxItems": 100,
        "items": [
          "type": "object", "required": ["index", "code", "message"],
          "properties": [
            "index": count, "line": count, "field": ["type": "string"], "code": ["type": "string"],
            "message": ["type": "string"],
          ],
        ],
      ],
    ],
  ]

  static let publication: JSON = [
    "type": "object",
    "properties": [
      "app": text(128), "release": text(128), "channel": text(64),
      "platform": ["anyOf": [text(64), ["type": "null"]]], "publishedAt": instant,
      "mandatory": ["type": "boolean"],
      "rollout": [
        "type": "array", "maxItems": .integer(PublicationForm.mostSteps),
        "items": [
          "type": "object", "required": ["at", "percent"],
          "properties": ["at": instant, "percent": ["type": "number", "minimum": 0, "maximum": 100]],
        ],
      ],
    ],
  ]

  static let registered: JSON = [
    "allOf": [
      .reference("Publication"),
      [
        "type": "object",
        "properties": [
          "notes": [
            "type": "array", "description": "What looks like a slip; missing where nothing does",
            "items": [
              "type": "object", "required": ["code", "message"],
              "properties": [
                "code": ["enum": .array(PublicationSlip.Code.allCases.map { .string($0.rawValue) })],
                "message": ["type": "string"],
              ],
            ],
          ]
        ],
      ],
    ]
  ]

  /// The envelope of every answer.
  static let answer: JSON = [
    "type": "object", "required": ["schema", "generatedAt", "dataThrough", "query", "warnings", "data"],
    "properties": ["data": ["type": "array"], "warnings": ["type": "array"], "query": ["type": "object"]],
  ]

  static let count: JSON = ["type": "integer", "minimum": 0]
  static let instant: JSON = [
    "anyOf": [
      ["type": "string", "format": "date-time"], ["type": "integer", "description": "Milliseconds since 1970"],
    ]
  ]
  static func text(_ bytes: Int) -> JSON { ["type": "string", "minLength": 1, "maxLength": .integer(bytes)] }
}
