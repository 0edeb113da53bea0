import { type Category, categories } from '../../convert/catalogue/converter.ts'
import {
  anyObject,
  boolean,
  constant,
  integer,
  list,
  map,
  nullable,
  number,
  object,
  oneOf,
  optional,
  type Static,
  string,
} from '../http/schema.ts'

/** The bodies of the contract. Each is a schema, used to serialise answers and shown in the OpenAPI document, with its type. */

export const jobStatus = oneOf(['Queued', 'Running', 'Succeeded', 'Failed', 'Canceled'])

export const JobAccepted = object({ id: string({ format: 'uuid' }), status: jobStatus, creditCost: number() })

export type JobStatusResponse = Static<typeof JobStatusResponse>
export const JobStatusResponse = object({
  id: string({ format: 'uuid' }),
  status: jobStatus,
  progress: object({ percent: number(), phase: nullable(string()) }),
  metrics: object({ inputBytes: number(), outputBytes: number(), creditCost: number() }),
  error: nullable(object({ code: string(), detail: string() })),
  output: nullable(object({ fileName: string(), contentType: string(), fileCount: number() })),
  warnings: optional(
    list(string(), { description: 'What was lost or missed in converting; left out when nothing was.' }),
  ),
})

const ended = {
  eventId: string({ format: 'uuid', description: 'The same in every attempt to deliver this event.' }),
  jobId: string({ format: 'uuid' }),
  jobType: string(),
  site: string(),
  deliveryAttempt: integer(),
  metrics: object({
    inputBytes: number(),
    outputBytes: optional(number()),
    creditCost: number(),
    processingTimeMs: nullable(number()),
  }),
  warnings: optional(list(string())),
  completedAt: string({ format: 'date-time' }),
}

/** Body of the webhooks. */
export const JobSucceeded = object({
  event: constant('job.succeeded'),
  status: constant('Succeeded'),
  ...ended,
  output: object({
    fileName: string(),
    contentType: string(),
    fileCount: number(),
    downloadUrl: string({ format: 'uri', description: 'Needs no key, until `expiresAt`.' }),
    expiresAt: string({ format: 'date-time' }),
  }),
})
export const JobFailed = object({
  event: constant('job.failed'),
  status: constant('Failed'),
  ...ended,
  error: object({ code: string(), detail: string() }),
})

export const JobList = object({
  jobs: list(
    object({
      ...JobStatusResponse.properties,
      job: string({ description: 'Type of the job, such as `image.heic-to-jpg`.' }),
      fileName: string({ description: 'Of the input.' }),
      createdAt: string({ format: 'date-time' }),
      finishedAt: nullable(string({ format: 'date-time' })),
    }),
  ),
  next: nullable(integer()),
})

export const CostingInfo = object({
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

const limits = {
  maxFileSizeBytes: number(),
  maxConcurrentJobs: number(),
  maxPages: nullable(number()),
  maxDurationMinutes: nullable(number()),
}

const category = oneOf(Object.keys(categories) as Category[])

export type ConversionItem = Static<typeof ConversionItem>
export const ConversionItem = object({
  job: string(),
  category,
  costing: CostingInfo,
  endpoint: nullable(string()),
  inputFormats: list(string()),
  outputFormats: list(string()),
  ...limits,
  maxBatchSizeBytes: number(),
})

export type ConversionEdge = Static<typeof ConversionEdge>
export const ConversionEdge = object({
  sourceFormat: string(),
  targetFormat: string(),
  job: string(),
  endpoint: nullable(string()),
  category,
  costing: CostingInfo,
  ...limits,
  fileExtension: optional(
    string({ description: 'Of the result, as far as it is known before; only with `extended`.' }),
  ),
})

export type GetConversionsResponse = Static<typeof GetConversionsResponse>
export const GetConversionsResponse = object({
  conversions: list(ConversionItem),
  sourceFormatTo: map(list(ConversionEdge)),
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

export const Inspection = object({
  format: nullable(string({ description: 'Null if it cannot be recognised.' })),
  fileName: string(),
  bytes: number(),
  pageCount: nullable(number()),
  durationMinutes: nullable(number()),
  facts: anyObject(),
  problem: nullable(string({ description: 'Why the file cannot be read, as far as that is known.' })),
  thumbnail: optional(
    nullable(string({ description: 'A WebP as a `data:` URI, if asked for; null of what has no picture.' })),
  ),
  targets: list(object({ targetFormat: string(), job: string(), estimatedCredits: number() })),
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

export const PresetResponse = object({
  id: string(),
  name: string(),
  builtIn: boolean(),
  /** By source format. */
  choices: map(object({ target: string(), options: anyObject() })),
})

const webhook = {
  webhookUrl: optional(string({ maxLength: 2048 })),
  webhookSecret: optional(string({ minLength: 16, maxLength: 256 })),
  webhookEvents: optional(string()),
}

/** Body of `POST /convert` as JSON. */
export const ConvertFromUrl = object({
  inputUrl: string({ description: 'HTTPS address of the file.', examples: ['https://example.com/a.png'] }),
  sourceFormat: string(),
  targetFormat: optional(string()),
  options: optional(anyObject()),
  steps: optional(
    list(object({ targetFormat: string(), options: optional(anyObject()) }), {
      description: 'At most 5, instead of targetFormat and options.',
    }),
  ),
  ...webhook,
})

/** Body of `POST /convert` as a form. */
export const ConvertForm = object({
  file: optional(string({ format: 'binary', description: 'The file; or give inputUrl.' })),
  inputUrl: optional(string()),
  targetFormat: optional(
    string({
      description: 'May also come from the query string, or steps stand instead.',
      examples: ['webp'],
    }),
  ),
  sourceFormat: optional(string({ description: 'Required with inputUrl.' })),
  options: optional(
    string({
      description: 'A JSON object; see /convert/schema/{from}/{to}.',
      examples: ['{"quality":80}'],
    }),
  ),
  steps: optional(
    string({
      description:
        'A JSON list of 1 to 5 objects with targetFormat and options, instead of these fields: formats that the file becomes one after another, each from the one before.',
    }),
  ),
  ...webhook,
})
