import { Ajv2020, type Options } from 'ajv/dist/2020.js'

/**
 * Compiles JSON Schemas (draft 2020-12) of Refile's own. They are not checked against the draft, which would have to be compiled
 * first; tests do that. No number of theirs may be infinite.
 */
export const jsonSchemas = (options: Options): Ajv2020 =>
  new Ajv2020({ strict: false, strictNumbers: true, validateSchema: false, meta: false, ...options })
