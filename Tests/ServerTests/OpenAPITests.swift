import Console
import Ingest
import Testing

@testable import Server

/// The description of the API names what the service reads; that it is also what is served is held by
/// `Tests/Reliability/test_openapi.py`.
struct OpenAPITests {
  /// `received` is believed of files alone.
  @Test func anEventHasTheFieldsThatAreRead() throws {
    #expect(try properties(of: OpenAPI.event) == Set(EventMap.fieldNames).subtracting(["received"]))
  }

  @Test func aPublicationHasTheFieldsThatAreRead() throws {
    #expect(try properties(of: OpenAPI.publication) == Set(PublicationForm.CodingKeys.allCases.map(\.rawValue)))
  }

  /// An answer may be sent again as it is.
  @Test func whatStandsBesideAPublicationIsDescribed() throws {
    guard case .array(let parts)? = OpenAPI.registered["allOf"] else { throw CancellationError() }
    #expect(parts.count == 2 && parts[1]["properties"]?[PublicationForm.notes] != nil)
  }

  @Test func aRolloutHasNoMoreStepsThanAreTaken() throws {
    #expect(OpenAPI.publication["properties"]?["rollout"]?["maxItems"] == .integer(PublicationForm.mostSteps))
  }

  /// What a warehouse does not hold is answered with 404.
  @Test func aPulseMayBeMissing() throws { #expect(OpenAPI.operations["GET /v1/pulse"]?.answers[404] != nil) }

  private func properties(of schema: JSON) throws -> Set<String> {
    guard case .object(let properties)? = schema["properties"] else { return [] }
    return Set(properties.keys)
  }
}
