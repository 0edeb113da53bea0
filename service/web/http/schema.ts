import type { IncomingMessage } from 'node:http'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyTypeProvider,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type {
  Static,
  TArray,
  TArrayOptions,
  TBoolean,
  TInteger,
  TLiteral,
  TLiteralValue,
  TNumber,
  TNumberOptions,
  TObject,
  TObjectOptions,
  TOptional,
  TProperties,
  TSchema,
  TSchemaOptions,
  TString,
  TStringOptions,
  TUnion,
  TUnsafe,
} from 'typebox'

/**
 * Building blocks for the schemas of requests and answers: each is a JSON Schema, and `Static<>` derives its type. The types are
 * TypeBox's; its builders, which do as little, would load 370 modules.
 */

export type { Static }

const of = <Schema extends TSchema>(keywords: object, options?: object) =>
  ({ ...keywords, ...options }) as unknown as Schema
const unsafe = <Type>(schema: object) => of<TUnsafe<Type>>(schema)

export const string = (options?: TStringOptions): TString => of({ type: 'string' }, options)
export const boolean = (options?: TSchemaOptions): TBoolean => of({ type: 'boolean' }, options)
export const number = (options?: TNumberOptions): TNumber => of({ type: 'number' }, options)
export const integer = (options?: TNumberOptions): TInteger => of({ type: 'integer' }, options)

export const list = <Items extends TSchema>(items: Items, options?: TArrayOptions): TArray<Items> =>
  of({ type: 'array', items }, options)

/** Exactly this value. */
export const constant = <Value extends TLiteralValue>(
  value: Value,
  options?: TSchemaOptions,
): TLiteral<Value> => of({ type: typeof value, const: value }, options)

export const anyOf = <Schemas extends TSchema[]>(schemas: [...Schemas]): TUnion<Schemas> =>
  of({ anyOf: schemas })

const optionals = new WeakSet<object>()

/** A property that may be missing. */
export function optional<Schema extends TSchema>(schema: Schema): TOptional<Schema> {
  const copy = of<TOptional<Schema>>(schema)
  optionals.add(copy)
  return copy
}

export function object<Properties extends TProperties>(
  properties: Properties,
  options?: TObjectOptions,
): TObject<Properties> {
  const required = Object.keys(properties).filter(name => !optionals.has(properties[name]!))
  return of({ type: 'object', ...(required.length > 0 && { required }), properties }, options)
}

/** One of some strings. */
export const oneOf = <const Values extends readonly string[]>(
  values: Values,
  options?: TSchemaOptions,
): TUnsafe<Values[number]> => unsafe({ type: 'string', enum: values, ...options })

/** The same, or null. */
export const nullable = <Schema extends TSchema>(schema: Schema): TUnsafe<Static<Schema> | null> => {
  const { type } = schema as { type?: unknown }
  return typeof type === 'string' && type !== 'object'
    ? unsafe({ ...schema, type: [type, 'null'] })
    : unsafe({ anyOf: [schema, { type: 'null' }] })
}

/** An object with any keys, and values of one type. */
export const map = <Schema extends TSchema>(values: Schema): TUnsafe<Record<string, Static<Schema>>> =>
  unsafe({ type: 'object', additionalProperties: values })

/** Any JSON object. */
export const anyObject = (): TUnsafe<Record<string, unknown>> =>
  unsafe({ type: 'object', properties: {}, additionalProperties: true })

/** An answer without a body. */
export const nothing = (): TUnsafe<undefined> => unsafe({ type: 'null' })

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
