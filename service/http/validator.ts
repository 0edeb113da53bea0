import { Ajv2020 } from 'ajv/dist/2020.js'
import type { FastifySchemaCompiler } from 'fastify'

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
