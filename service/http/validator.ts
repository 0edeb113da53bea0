import { Ajv2020 } from 'ajv/dist/2020.js'
import type { FastifySchemaCompiler } from 'fastify'
import type { Static, TSchema } from 'typebox'

/** What a value is by its schema, or null where it is anything else. */
export function fitting<Schema extends TSchema>(schema: Schema): (value: unknown) => Static<Schema> | null {
  const check = new Ajv2020({ strict: false }).compile<Static<Schema>>(schema)
  return value => (check(value) ? value : null)
}

/** Checks requests against the schemas of their routes; numbers in addresses are read from their text. */
export function validatorCompiler(): FastifySchemaCompiler<unknown> {
  const ajv = new Ajv2020({ coerceTypes: true, strict: false, strictNumbers: true })
  return ({ schema }) => {
    const check = ajv.compile(schema as object)
    // Ajv does not look again at what it has read from a text, and that may be infinite.
    const validate = (data: unknown): boolean => {
      const valid = check(data) && check(data)
      validate.errors = check.errors
      return valid
    }
    validate.errors = check.errors
    return validate
  }
}
