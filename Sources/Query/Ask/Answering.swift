public import Store

/// Rows that are asked for of one release.
public protocol AskedOfRelease {
  associatedtype Question: ReleaseAsking
}

/// Rows that are asked for of a time.
public protocol AskedOfPeriod {
  associatedtype Question: PeriodAsking
}

/// What a question can be told; what it is not told has a default.
public protocol QuestionOptions: Sendable { init() }

public protocol ReleaseAsking: Question {
  associatedtype Options: QuestionOptions
  init(_ vocabulary: Vocabulary, _ chosen: ReleaseScope, _ options: Options) throws
}

public protocol PeriodAsking: Question {
  associatedtype Options: QuestionOptions
  init(_ vocabulary: Vocabulary, _ extent: FleetScope, _ options: Options) throws
}

extension AskedOfRelease {
  public static func answer(
    _ snapshot: borrowing Snapshot, _ chosen: ReleaseScope, _ options: Question.Options = .init()
  ) throws -> Answer<Question.Row> {
    try snapshot.ask(Question(snapshot.vocabulary, chosen, options))
  }
}

extension AskedOfPeriod {
  public static func answer(
    _ snapshot: borrowing Snapshot, _ extent: FleetScope, _ options: Question.Options = .init()
  ) throws -> Answer<Question.Row> {
    try snapshot.ask(Question(snapshot.vocabulary, extent, options))
  }
}
