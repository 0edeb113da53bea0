import type { IncomingMessage } from 'node:http'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyTypeProvider,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import { type Static, type TSchema, type TUnsafe, Unsafe } from 'typebox'

/**
 * Building blocks for the schemas of requests and answers: each is a JSON Schema, and `Static<>` derives its type. They
 * are TypeBox's, plus a few that read better in the OpenAPI document.
 */

export {
  Array as list,
  Boolean as boolean,
  Integer as integer,
  Literal as constant,
  Number as number,
  Object as object,
  Optional as optional,
  type Static,
  String as string,
  Union as anyOf,
} from 'typebox'

/** One of some strings. */
export const oneOf = <const Values extends readonly string[]>(values: Values): TUnsafe<Values[number]> =>
  Unsafe({ type: 'string', enum: values })

/** The same, or null. */
export const nullable = <Schema extends TSchema>(schema: Schema): TUnsafe<Static<Schema> | null> => {
  const { type } = schema as { type?: unknown }
  return typeof type === 'string' && type !== 'object'
    ? Unsafe({ ...schema, type: [type, 'null'] })
    : Unsafe({ anyOf: [schema, { type: 'null' }] })
}

/** An object with any keys, and values of one type. */
export const map = <Schema extends TSchema>(values: Schema): TUnsafe<Record<string, Static<Schema>>> =>
  Unsafe({ type: 'object', additionalProperties: values })

/** Any JSON object. */
export const anyObject = (): TUnsafe<Record<string, unknown>> =>
  Unsafe({ type: 'object', properties: {}, additionalProperties: true })

/** An answer without a body. */
export const nothing = (): TUnsafe<undefined> => Unsafe({ type: 'null' })

/**
 * Schema of a JSON body, or a stream that is left to the route when the body has another media type; undefined without a body.
 */
interface JsonOrStream<Json extends TSchema> {
  content: { 'application/json': { schema: Json } }
}
export const jsonOrStream = <Json extends TSchema>(schema: Json): JsonOrStream<Json> => ({
  content: { 'application/json': { schema } },
})

/** The type that a schema describes. */
type Described<Schema> =
  Schema extends JsonOrStream<infer Json>
    ? Static<Json> | IncomingMessage | undefined
    : Schema extends TSchema
      ? Static<Schema>
      : unknown

/** Derives the types of a route's params, query, body and answers from its schemas. */
interface SchemaTypes extends FastifyTypeProvider {
  validator: Described<this['schema']>
  serializer: Described<this['schema']>
}

/** The server, or a scope of it, to which routes are added. */
export type Routes = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  SchemaTypes
>
