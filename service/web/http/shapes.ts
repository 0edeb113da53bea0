import { jobFailureCodes, requestErrors } from '../../shared/errors.ts'
import { anyOf, boolean, integer, nullable, object, oneOf, optional, string } from './schema.ts'

/** Shapes shared by the contract's routes and the page's routes. */

export const ErrorCode = oneOf([...Object.keys(requestErrors), ...jobFailureCodes, 'jobs.canceled'], {
  description: 'Those that are known today; a later service may have more.',
})

export const ErrorResponse = object(
  {
    error: anyOf([ErrorCode, string()]),
    detail: nullable(string()),
    isRetryable: optional(nullable(boolean())),
  },
  {
    additionalProperties: true,
    description: 'Every refusal: a machine-readable code and what to do about it.',
  },
)

/** A key of a caller's own, under which the same request sent again is answered like the first and does nothing more. */
export const idempotencyKey = (description: string) =>
  optional(string({ minLength: 1, maxLength: 255, description }))

/** Params of a route that takes an id. */
export const ById = object({ id: string() })

/** The same for lists in their own order: entries after `after`, at most `limit`. */
export const NextPageQuery = object({
  after: optional(integer({ minimum: 0 })),
  limit: optional(integer({ minimum: 1, maximum: 1000 })),
})

/** A page of a list: entries older than `before`, at most `limit`. */
export const PageQuery = object({
  before: optional(integer({ minimum: 0 })),
  limit: optional(integer({ minimum: 1, maximum: 200 })),
})
