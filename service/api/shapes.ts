import { type Static, Type } from 'typebox'
import { categories } from '../catalogue/converter.ts'

/** Shapes of the contract's bodies, for the OpenAPI document and for serialising answers. */

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(shape: T) =>
  Type.Union([shape, Type.Null()])

export const ErrorResponse = Type.Object(
  {
    error: Type.String(),
    detail: nullable(Type.String()),
    isRetryable: Type.Optional(nullable(Type.Boolean())),
  },
  {
    additionalProperties: true,
    description: 'Every refusal: a machine-readable code and what to do about it.',
  },
)

export const JobStatusWord = Type.Enum(['Queued', 'Running', 'Succeeded', 'Failed', 'Canceled'])

export const JobAccepted = Type.Object({
  id: Type.String({ format: 'uuid' }),
  status: JobStatusWord,
  creditCost: Type.Number(),
})

export const JobOutputSummary = Type.Object({
  fileName: Type.String(),
  contentType: Type.String(),
  fileCount: Type.Number(),
})

export const JobStatusResponse = Type.Object({
  id: Type.String({ format: 'uuid' }),
  status: JobStatusWord,
  progress: Type.Object({ percent: Type.Number(), phase: nullable(Type.String()) }),
  metrics: Type.Object({
    inputBytes: Type.Number(),
    outputBytes: Type.Number(),
    creditCost: Type.Number(),
  }),
  error: nullable(Type.Object({ code: Type.String(), detail: Type.String() })),
  output: nullable(JobOutputSummary),
})
export type JobStatusResponse = Static<typeof JobStatusResponse>

export const CostingInfo = Type.Object({
  strategy: Type.Enum(['Fixed', 'PerMegabyte', 'PerPage', 'PerMinute']),
  baseCost: Type.Number(),
  increment: nullable(Type.Number()),
  incrementUnit: nullable(Type.String()),
  displaySuffix: Type.String(),
  costVariants: nullable(
    Type.Object({
      optionKey: Type.String(),
      label: Type.String(),
      default: Type.String(),
      variants: Type.Record(Type.String(), Type.Object({ cost: Type.Number(), label: Type.String() })),
    }),
  ),
})

const limits = {
  maxFileSizeBytes: Type.Number(),
  maxConcurrentJobs: Type.Number(),
  maxPages: nullable(Type.Number()),
  maxDurationMinutes: nullable(Type.Number()),
}

const Category = Type.Enum(Object.keys(categories))

export const ConversionItem = Type.Object({
  job: Type.String(),
  category: Category,
  costing: CostingInfo,
  endpoint: nullable(Type.String()),
  inputFormats: Type.Array(Type.String()),
  outputFormats: Type.Array(Type.String()),
  ...limits,
  maxBatchSizeBytes: Type.Number(),
})
export type ConversionItem = Static<typeof ConversionItem>

export const ConversionEdge = Type.Object({
  sourceFormat: Type.String(),
  targetFormat: Type.String(),
  job: Type.String(),
  endpoint: nullable(Type.String()),
  category: Category,
  costing: CostingInfo,
  ...limits,
})
export type ConversionEdge = Static<typeof ConversionEdge>

export const GetConversionsResponse = Type.Object({
  conversions: Type.Array(ConversionItem),
  sourceFormatTo: Type.Record(Type.String(), Type.Array(ConversionEdge)),
  maxFileSizeBytes: Type.Number(),
  maxConcurrentJobs: Type.Number(),
  maxBatchFiles: Type.Number(),
})
export type GetConversionsResponse = Static<typeof GetConversionsResponse>

export const CostEstimateResponse = Type.Object({
  job: Type.String(),
  category: Category,
  estimatedCredits: Type.Number(),
  costing: CostingInfo,
  inputs: Type.Object({
    fileSizeBytes: nullable(Type.Number()),
    fileSizeMb: nullable(Type.Number()),
    pageCount: nullable(Type.Number()),
    durationMinutes: nullable(Type.Number()),
  }),
  limits: Type.Object({
    maxFileSizeBytes: Type.Number(),
    maxPages: nullable(Type.Number()),
    maxDurationMinutes: nullable(Type.Number()),
  }),
})

export const EntitlementsResponse = Type.Object({
  userId: nullable(Type.String()),
  organizationId: nullable(Type.String()),
  planId: Type.String(),
  planName: Type.String(),
  accessDisplayName: nullable(Type.String()),
  totalCredits: Type.Number(),
  tier: Type.String(),
  dailyLimit: nullable(Type.Number()),
  dailyUsed: nullable(Type.Number()),
  resetDate: nullable(Type.String()),
})

/** Body of `POST /convert` as JSON. */
export const ConvertFromUrl = Type.Object({
  inputUrl: Type.String({ description: 'HTTPS address of the file.' }),
  sourceFormat: Type.String(),
  targetFormat: Type.String(),
  options: Type.Optional(Type.Object({}, { additionalProperties: true })),
  webhookUrl: Type.Optional(Type.String({ maxLength: 2048 })),
  webhookSecret: Type.Optional(Type.String({ minLength: 16, maxLength: 256 })),
  webhookEvents: Type.Optional(Type.String()),
})

/** Body of `POST /convert` as a form. */
export const ConvertForm = Type.Object({
  file: Type.Optional(Type.String({ format: 'binary', description: 'The file; or give inputUrl.' })),
  inputUrl: Type.Optional(Type.String()),
  targetFormat: Type.String({ description: 'May also come from the query string.' }),
  sourceFormat: Type.Optional(Type.String({ description: 'Required with inputUrl.' })),
  options: Type.Optional(Type.String({ description: 'A JSON object; see /convert/schema/{from}/{to}.' })),
  webhookUrl: Type.Optional(Type.String({ maxLength: 2048 })),
  webhookSecret: Type.Optional(Type.String({ minLength: 16, maxLength: 256 })),
  webhookEvents: Type.Optional(Type.String()),
})
