import type { FastifySchema } from 'fastify'
import type { Edge } from '../../convert/catalogue/catalogue.ts'
import { type Converter, categories, globalLimits } from '../../convert/catalogue/converter.ts'
import { formatOfWord, formats } from '../../convert/catalogue/formats.ts'
import type { Config } from '../../shared/config.ts'
import { forRole } from '../http/access.ts'
import { compressed } from '../http/compressed.ts'
import { boolean, object, optional, type Routes, type Static, string } from '../http/schema.ts'
import type { Services } from '../services.ts'
import { type ConversionEdge, type ConversionItem, GetConversionsResponse } from './shapes.ts'

const Query = object({
  formats: optional(string({ description: 'Comma-separated formats, input or output.' })),
  category: optional(string({ description: `One of ${Object.keys(categories).join(', ')}.` })),
  extended: optional(
    boolean({
      description: 'Whether conversions beyond the usual 170 are listed too, such as JPEG to a smaller JPEG.',
    }),
  ),
})

type Test = (converter: Converter) => boolean

const words = (text: string) =>
  text
    .split(',')
    .map(word => word.trim().toLowerCase())
    .filter(Boolean)

/** Tests whether a converter accepts files of the format that `word` names. */
const takes = (word: string): Test => {
  const lower = word.toLowerCase()
  const format = formatOfWord(lower)
  return converter =>
    converter.accepts.includes(lower) || (format !== undefined && converter.sources.includes(format))
}

/** Tests whether a converter produces files of the format that `word` names. */
const makes = (word: string): Test => {
  const lower = word.toLowerCase()
  const format = formatOfWord(lower)
  return converter =>
    [converter.target, ...outputKeys(converter)].some(key => key === lower || key === format)
}

const any =
  (tests: readonly Test[]): Test =>
  converter =>
    tests.some(test => test(converter))

const outputKeys = (converter: Converter) => [
  converter.targetKey,
  ...converter.presetAliases.map(alias => alias.key),
]

const isCategory =
  (word: string): Test =>
  converter =>
    converter.category === word.toLowerCase()

const isListed: Test = ({ extension }) => !extension
const isAny: Test = () => true

/** The catalogue of conversions, complete or filtered. */
export function catalogueRoutes(app: Routes, services: Services): void {
  const account = forRole('account', app)
  const answer = (query: Static<typeof Query>, narrow: Test) => {
    const wanted = words(query.formats ?? '').flatMap(word => [takes(word), makes(word)])
    const tests = [
      narrow,
      ...(query.formats ? [any(wanted)] : []),
      ...(query.category ? [isCategory(query.category)] : []),
      ...(query.extended ? [] : [isListed]),
    ]
    return select(services, converter => tests.every(test => test(converter)), query.extended ?? false)
  }
  const common = { querystring: Query, response: { 200: GetConversionsResponse } }

  const list = (path: string, schema: FastifySchema, narrow: (word: string) => Test = () => isAny) =>
    account.get<{ Params: Record<string, string>; Querystring: Static<typeof Query> }>(
      `/convert/conversions${path}`,
      { schema: { ...schema, ...common }, onSend: compressed },
      async ({ params, query }) => answer(query, narrow(Object.values(params)[0] ?? '')),
    )
  list('', {
    summary: 'All conversions',
    description: 'Every converter with its price and limits, and the targets of each source format.',
    operationId: 'listConversions',
  })
  const filtered = {
    summary: 'Conversions of a format or a category',
    description: '`filter` is a format, as input or output, or a category.',
    operationId: 'filterConversions',
    params: object({ filter: string() }),
  }
  list('/:filter', filtered, word => any([takes(word), makes(word), isCategory(word)]))
  const params = object({ format: string() })
  const taking = {
    summary: 'Conversions that take a format',
    description: 'What files of a format can become.',
    operationId: 'listConversionsFrom',
    params,
  }
  list('/from/:format', taking, takes)
  const making = {
    summary: 'Conversions that make a format',
    description: 'What can become files of a format.',
    operationId: 'listConversionsTo',
    params,
  }
  list('/to/:format', making, makes)
}

function select(services: Services, test: Test, isExtended: boolean) {
  const { catalogue, config } = services
  const sourceFormatTo: Record<string, ConversionEdge[]> = {}
  for (const edge of catalogue.edges) {
    if (!test(edge.converter)) continue
    sourceFormatTo[edge.source] ??= []
    sourceFormatTo[edge.source]?.push({
      ...edgeOf(edge, config),
      ...(isExtended ? { fileExtension: suffixOf(edge.converter) } : {}),
    })
  }
  return {
    conversions: catalogue.converters.filter(test).map(converter => itemOf(converter, config)),
    sourceFormatTo,
    maxFileSizeBytes: Math.min(globalLimits.bytes, config.maxFileBytes),
    maxConcurrentJobs: globalLimits.concurrent,
    maxBatchFiles: globalLimits.batchFiles,
  }
}

const limitsOf = ({ limits }: Converter, config: Config) => ({
  maxFileSizeBytes: Math.min(limits.bytes, config.maxFileBytes),
  maxConcurrentJobs: limits.concurrent,
  maxPages: limits.pages,
  maxDurationMinutes: limits.minutes,
})

const itemOf = (converter: Converter, config: Config): ConversionItem => ({
  job: converter.job,
  category: converter.category,
  costing: converter.costing,
  endpoint: '/convert',
  inputFormats: [...converter.accepts],
  outputFormats: outputKeys(converter),
  ...limitsOf(converter, config),
  maxBatchSizeBytes: globalLimits.batchBytes,
})

/** Extension of the files that a converter makes. */
const suffixOf = ({ target }: Converter): string => formats[target].suffixes[0] ?? target

const edgeOf = ({ source, targetKey, converter }: Edge, config: Config): ConversionEdge => ({
  sourceFormat: source,
  targetFormat: targetKey,
  job: converter.job,
  endpoint: '/convert',
  category: converter.category,
  costing: converter.costing,
  ...limitsOf(converter, config),
})
