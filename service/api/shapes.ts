import { type Category, categories } from '../catalogue/converter.ts'
import type { Costing } from '../catalogue/costing.ts'
import { list, map, nullable, number, object, oneOf, string } from '../http/json-schema.ts'
import type { JobOutput, JobStatus } from '../jobs/job.ts'

/** Bodies of the contract: their types, and their schemas for serialising and for the OpenAPI document. */

const status = oneOf(['Queued', 'Running', 'Succeeded', 'Failed', 'Canceled'])

export const JobAccepted = object({ id: string({ format: 'uuid' }), status, creditCost: number() })

export interface JobStatusResponse {
  id: string
  status: JobStatus
  progress: { percent: number; phase: string | null }
  metrics: { inputBytes: number; outputBytes: number; creditCost: number }
  error: { code: string; detail: string } | null
  output: JobOutput | null
}
export const JobStatusResponse = object({
  id: string({ format: 'uuid' }),
  status,
  progress: object({ percent: number(), phase: nullable(string()) }),
  metrics: object({ inputBytes: number(), outputBytes: number(), creditCost: number() }),
  error: nullable(object({ code: string(), detail: string() })),
  output: nullable(object({ fileName: string(), contentType: string(), fileCount: number() })),
})

const CostingInfo = object({
  strategy: oneOf(['Fixed', 'PerMegabyte', 'PerPage', 'PerMinute']),
  baseCost: number(),
  increment: nullable(number()),
  incrementUnit: nullable(string()),
  displaySuffix: string(),
  costVariants: nullable(
    object({
      optionKey: string(),
      label: string(),
      default: string(),
      variants: map(object({ cost: number(), label: string() })),
    }),
  ),
})

interface ConversionLimits {
  maxFileSizeBytes: number
  maxConcurrentJobs: number
  maxPages: number | null
  maxDurationMinutes: number | null
}
const limits = {
  maxFileSizeBytes: number(),
  maxConcurrentJobs: number(),
  maxPages: nullable(number()),
  maxDurationMinutes: nullable(number()),
}

const category = oneOf(Object.keys(categories))

export interface ConversionItem extends ConversionLimits {
  job: string
  category: Category
  costing: Costing
  endpoint: string | null
  inputFormats: string[]
  outputFormats: string[]
  maxBatchSizeBytes: number
}

export interface ConversionEdge extends ConversionLimits {
  sourceFormat: string
  targetFormat: string
  job: string
  endpoint: string | null
  category: Category
  costing: Costing
}

export interface GetConversionsResponse {
  conversions: ConversionItem[]
  sourceFormatTo: Record<string, ConversionEdge[]>
  maxFileSizeBytes: number
  maxConcurrentJobs: number
  maxBatchFiles: number
}
export const GetConversionsResponse = object({
  conversions: list(
    object({
      job: string(),
      category,
      costing: CostingInfo,
      endpoint: nullable(string()),
      inputFormats: list(string()),
      outputFormats: list(string()),
      ...limits,
      maxBatchSizeBytes: number(),
    }),
  ),
  sourceFormatTo: map(
    list(
      object({
        sourceFormat: string(),
        targetFormat: string(),
        job: string(),
        endpoint: nullable(string()),
        category,
        costing: CostingInfo,
        ...limits,
      }),
    ),
  ),
  maxFileSizeBytes: number(),
  maxConcurrentJobs: number(),
  maxBatchFiles: number(),
})

export const CostEstimateResponse = object({
  job: string(),
  category,
  estimatedCredits: number(),
  costing: CostingInfo,
  inputs: object({
    fileSizeBytes: nullable(number()),
    fileSizeMb: nullable(number()),
    pageCount: nullable(number()),
    durationMinutes: nullable(number()),
  }),
  limits: object({
    maxFileSizeBytes: number(),
    maxPages: nullable(number()),
    maxDurationMinutes: nullable(number()),
  }),
})

export const EntitlementsResponse = object({
  userId: nullable(string()),
  organizationId: nullable(string()),
  planId: string(),
  planName: string(),
  accessDisplayName: nullable(string()),
  totalCredits: number(),
  tier: string(),
  dailyLimit: nullable(number()),
  dailyUsed: nullable(number()),
  resetDate: nullable(string()),
})

const webhook = {
  'webhookUrl?': string({ maxLength: 2048 }),
  'webhookSecret?': string({ minLength: 16, maxLength: 256 }),
  'webhookEvents?': string(),
}

/** Body of `POST /convert` as JSON. */
export const ConvertFromUrl = object({
  inputUrl: string({ description: 'HTTPS address of the file.' }),
  sourceFormat: string(),
  targetFormat: string(),
  'options?': object({}, { additionalProperties: true }),
  ...webhook,
})

/** Body of `POST /convert` as a form. */
export const ConvertForm = object({
  'file?': string({ format: 'binary', description: 'The file; or give inputUrl.' }),
  'inputUrl?': string(),
  targetFormat: string({ description: 'May also come from the query string.' }),
  'sourceFormat?': string({ description: 'Required with inputUrl.' }),
  'options?': string({ description: 'A JSON object; see /convert/schema/{from}/{to}.' }),
  ...webhook,
})
