import { boolean, integer, nullable, object, optional, string } from './schema.ts'

/** Shapes shared by the contract's routes and the page's routes. */

export const ErrorResponse = object(
  { error: string(), detail: nullable(string()), isRetryable: optional(nullable(boolean())) },
  {
    additionalProperties: true,
    description: 'Every refusal: a machine-readable code and what to do about it.',
  },
)

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
