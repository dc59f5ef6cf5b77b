internal import Console

/// The form of every answer, in the order of the commands. `docs/schema` and `docs/cli.md` are written from them.
let answerSchemas: [AnswerSchema] = [
  .releases, .adoption, .reach, .timeToUpdate, .compare, .mechanisms, .failures, .forecast, .funnel, .push, .wakeUps,
  .breadcrumbs,
]
