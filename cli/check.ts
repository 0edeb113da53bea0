import { jsonSchemas } from '../service/shared/json-schema.ts'
import { render } from '../service/shared/messages/render.ts'
import { validationMessage } from '../service/shared/messages/validation.ts'
import type { Catalogue } from './catalogue.ts'
import { UsageError } from './exit-codes.ts'
import type { Service } from './service.ts'

/**
 * Checks options against a schema of the service, as that does itself.
 * @throws UsageError with the service's own code and words
 */
export function checkOptions(schema: object, options: Record<string, unknown>): void {
  const validate = jsonSchemas({ strictNumbers: true, verbose: true }).compile(schema)
  if (validate(options)) return
  const [error] = validate.errors ?? []
  const reason = error ? render(validationMessage(error, 'options')) : 'The options are not valid.'
  throw new UsageError(reason, 'convert.invalid_options')
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
