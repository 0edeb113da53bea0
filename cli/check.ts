import { jsonSchemas } from '../service/shared/json-schema.ts'
import { render } from '../service/shared/messages/render.ts'
import { validationMessage } from '../service/shared/messages/validation.ts'
import type { Catalogue } from './catalogue.ts'
import { UsageError } from './exit-codes.ts'
import type { Service } from './service.ts'

/**
 * What is wrong with values of a JSON Schema, as the service itself says it, with the property's name.
 * @param root name of the whole value
 */
export function problemsOf(schema: object, root = ''): (value: unknown) => string | undefined {
  const validate = jsonSchemas({ verbose: true }).compile(schema)
  return value => {
    const [error] = validate(value) ? [] : (validate.errors ?? [])
    return error && render(validationMessage(error, root))
  }
}

/** Checks options against a schema of the service. @throws UsageError with the service's own code and words */
export function checkOptions(schema: object, options: Record<string, unknown>): void {
  const problem = problemsOf(schema, 'options')(options)
  if (problem !== undefined) throw new UsageError(problem, 'convert.invalid_options')
}

/**
 * Checks that some file of a pattern can become what a rule makes of it, with its options.
 * @throws UsageError if none can
 */
export async function checkRule(
  { pattern, target, options }: { pattern: string; target: string; options: Record<string, unknown> },
  catalogue: Catalogue,
  { client }: Service,
  signal: AbortSignal,
): Promise<void> {
  const isOneKind = catalogue.edgesOf(pattern).length > 0
  const sources = isOneKind ? [pattern] : Object.keys(catalogue.all.sourceFormatTo)
  const edges = sources.flatMap(source => catalogue.edge(source, target) ?? [])
  if (edges.length === 0)
    throw new UsageError(
      isOneKind ? `Nothing converts ${pattern} to ${target}.` : `Nothing is converted to ${target}.`,
      'convert.unsupported_format_pair',
    )
  if (Object.keys(options).length === 0) return
  const checks = edges.map(async edge =>
    checkOptions(await client.schema(edge.sourceFormat, edge.targetFormat, signal), options),
  )
  await Promise.any(checks).catch(({ errors: [first] }: AggregateError) => {
    throw first
  })
}
