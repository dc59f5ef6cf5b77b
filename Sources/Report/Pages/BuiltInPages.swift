/// The pages that are built in: the files of `dashboards/pages`, held equal to them by a test.
enum BuiltInPages {
  static let all: [(file: String, json: String)] = [
    (
      "compare.json",
      #"""
      {
        "scope": "site",
        "path": "compare.html",
        "title": "Against the release before",
        "panels": [
          {"panel": "comparisons", "options": {"horizon": "7d"}},
          {"panel": "method"}
        ]
      }

      """#
    ),
    (
      "index.json",
      #"""
      {
        "scope": "site",
        "path": "index.html",
        "title": "Releases",
        "panels": [
          {"panel": "verdicts"},
          {"panel": "findings"},
          {"panel": "releases"},
          {"panel": "mix"},
          {"panel": "health"},
          {"panel": "method"}
        ]
      }

      """#
    ),
    (
      "mechanisms.json",
      #"""
      {
        "scope": "site",
        "path": "mechanisms.html",
        "title": "What brings updates to devices",
        "panels": [
          {"panel": "mechanism-verdict"},
          {"panel": "mechanism-curves", "options": {"horizon": "7d"}},
          {"panel": "mechanism-legs"},
          {"panel": "mechanism-arms"},
          {"panel": "mechanism-ways"},
          {"panel": "mechanism-channels"},
          {"panel": "mechanism-releases"},
          {"panel": "method"}
        ]
      }

      """#
    ),
    (
      "push.json",
      #"""
      {
        "scope": "site",
        "path": "push.html",
        "title": "Silent push",
        "panels": [
          {"panel": "push-tiles"},
          {"panel": "findings"},
          {"panel": "push-states"},
          {"panel": "push-delay"},
          {"panel": "push-hours"},
          {"panel": "push-places"},
          {"panel": "push-throttling"},
          {"panel": "push-to-update"},
          {"panel": "method"}
        ]
      }

      """#
    ),
    (
      "release.json",
      #"""
      {
        "scope": "release",
        "path": "release/{release}/{channel}.html",
        "title": "{release}",
        "panels": [
          {"panel": "verdict"},
          {"panel": "tiles"},
          {"panel": "findings"},
          {"panel": "suspects"},
          {"panel": "adoption", "options": {"horizon": "14d"}},
          {"panel": "reach"},
          {"panel": "time-to-update", "options": {"horizon": "7d"}},
          {"panel": "outcomes", "options": {"horizon": "7d"}},
          {"panel": "funnel"},
          {"panel": "failures"},
          {"panel": "segments"},
          {"panel": "rollout"},
          {"panel": "quality"},
          {"panel": "method"}
        ]
      }

      """#
    ),
  ]
}
