import type { FastifyInstance } from 'fastify'
import type { Edge } from '../catalogue/catalogue.ts'
import { type Converter, categories, globalLimits } from '../catalogue/converter.ts'
import { formatOfWord } from '../catalogue/formats.ts'
import type { Config } from '../config.ts'
import { object, string } from '../http/json-schema.ts'
import { ErrorResponse } from '../http/shapes.ts'
import type { Services } from '../services.ts'
import { type ConversionEdge, type ConversionItem, GetConversionsResponse } from './shapes.ts'

interface Query {
  formats?: string
  category?: string
}

type Test = (converter: Converter) => boolean

const words = (text: string) =>
  text
    .split(',')
    .map(word => word.trim().toLowerCase())
    .filter(Boolean)

/** Whether a converter takes files of the format a word means. */
const takes = (word: string): Test => {
  const lower = word.toLowerCase()
  const format = formatOfWord(lower)
  return converter =>
    converter.accepts.includes(lower) || (format !== undefined && converter.sources.includes(format))
}

/** Whether a converter makes files of the format a word means. */
const makes = (word: string): Test => {
  const lower = word.toLowerCase()
  const format = formatOfWord(lower)
  return converter =>
    [converter.target, ...outputKeys(converter)].some(key => key === lower || key === format)
}

const outputKeys = (converter: Converter) => [
  converter.targetKey,
  ...converter.editions.map(edition => edition.key),
]

const isCategory =
  (word: string): Test =>
  converter =>
    converter.category === word.toLowerCase()

/** The catalogue of conversions, whole or narrowed down. */
export function catalogueRoutes(app: FastifyInstance, services: Services): void {
  const route = (path: string, operationId: string, summary: string, narrow: (word: string) => Test) => {
    const name = /:(\w+)/.exec(path)?.[1]
    app.get<{ Querystring: Query; Params: Record<string, string> }>(
      path,
      {
        schema: {
          summary,
          operationId,
          ...(name ? { params: object({ [name]: string() }) } : {}),
          querystring: object({
            'formats?': string({ description: 'Comma-separated formats, input or output.' }),
            'category?': string({ description: `One of ${Object.keys(categories).join(', ')}.` }),
          }),
          response: { 200: GetConversionsResponse, '4xx': ErrorResponse },
        },
      },
      async request => {
        const tests: Test[] = name ? [narrow(request.params[name] ?? '')] : []
        const { formats, category } = request.query
        if (formats) {
          const wanted = words(formats).flatMap(word => [takes(word), makes(word)])
          tests.push(converter => wanted.some(test => test(converter)))
        }
        if (category) tests.push(isCategory(category))
        return select(services, converter => tests.every(test => test(converter)))
      },
    )
  }
  const either =
    (word: string): Test =>
    converter =>
      takes(word)(converter) || makes(word)(converter)
  route('/convert/conversions', 'listConversions', 'All conversions', () => () => true)
  route(
    '/convert/conversions/:filter',
    'filterConversions',
    'Conversions of a format or a category',
    word => converter => either(word)(converter) || isCategory(word)(converter),
  )
  route('/convert/conversions/from/:format', 'listConversionsFrom', 'Conversions that take a format', takes)
  route('/convert/conversions/to/:format', 'listConversionsTo', 'Conversions that make a format', makes)
}

function select(services: Services, test: Test) {
  const { catalogue, config } = services
  const sourceFormatTo: Record<string, ConversionEdge[]> = {}
  for (const edge of catalogue.edges) {
    if (!test(edge.converter)) continue
    sourceFormatTo[edge.source] ??= []
    sourceFormatTo[edge.source]?.push(edgeOf(edge, config))
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

const edgeOf = ({ source, targetKey, converter }: Edge, config: Config): ConversionEdge => ({
  sourceFormat: source,
  targetFormat: targetKey,
  job: converter.job,
  endpoint: '/convert',
  category: converter.category,
  costing: converter.costing,
  ...limitsOf(converter, config),
})
