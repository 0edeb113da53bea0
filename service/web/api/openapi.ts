import { STATUS_CODES } from 'node:http'
import type { RouteOptions } from 'fastify'
import { version } from '../../shared/config.ts'
import { requestErrors } from '../../shared/errors.ts'
import type { Message } from '../../shared/messages/message.ts'
import { render } from '../../shared/messages/render.ts'
import { forRole } from '../http/access.ts'
import type { Routes } from '../http/schema.ts'
import { ErrorCode, ErrorResponse } from '../http/shapes.ts'
import answers from './answers.json' with { type: 'json' }
import * as shapes from './shapes.ts'

/**
 * Describes all routes registered on `app` after this call in an OpenAPI 3.1 document, served at `/openapi.json`. What writes it
 * is loaded for the first who asks.
 */
export function describeApi(app: Routes, url: () => string): void {
  const anyone = forRole('anyone', app)
  const routes: RouteOptions[] = []
  app.addHook('onRoute', route => void (route.method !== 'HEAD' && routes.push(route)))
  let described: Promise<object> | undefined
  anyone.get('/openapi.json', { schema: { hide: true } }, async () => {
    described ??= describe(routes)
    const document = structuredClone(await described) as OpenApi
    document.servers = [{ url: url() }]
    addBinaryBodies(document)
    addTags(document)
    addWebhooks(document)
    nameShapes(document)
    addRefusals(document)
    addAnswers(document)
    return document
  })
}

/** The document of routes, as @fastify/swagger writes it for a server that has them. */
async function describe(routes: readonly RouteOptions[]): Promise<object> {
  const [{ default: fastify }, { default: swagger }] = await Promise.all([
    import('fastify'),
    import('@fastify/swagger'),
  ])
  const model = fastify({ exposeHeadRoutes: false })
  // Nothing is ever checked or sent by it.
  model.setValidatorCompiler(() => () => true)
  model.setSerializerCompiler(() => String)
  await model.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Refile conversion API',
        version,
        description: 'Converts files on this machine: submit, poll, download. See docs/api.md.',
        contact: { name: 'Refile', url: 'https://github.com/refile/refile' },
        license: { name: 'MIT', identifier: 'MIT' },
      },
      components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Service-Api-Key' } } },
      security: [{ key: [] }],
    },
  })
  for (const { method, url, schema } of routes)
    model.route({ method, url, handler: () => {}, ...(schema && { schema }) })
  await model.ready()
  return model.swagger()
}

interface OpenApi {
  servers?: { url: string }[]
  tags?: { name: string; description: string }[]
  components: { schemas?: object; responses?: object }
  webhooks?: Record<string, Record<string, Operation>>
  paths: Record<string, Record<string, Operation>>
}

interface Operation {
  operationId: string
  tags?: string[]
  requestBody?: Body
  responses: Record<string, Body>
}

type Body = { description?: string; required?: boolean; $ref?: string; content?: Record<string, Media> }
type Media = { schema: object; example?: unknown }
type Reference = { $ref?: string; items?: { $ref?: string } }

/** The groups of operations, in the order of the document; the first whose path matches counts. */
const groups = [
  { path: /entitlements/, name: 'Account', description: 'The plan and the credits of the caller.' },
  {
    path: /^\/convert\/(?:conversions|estimate|schema|presets)/,
    name: 'Catalogue',
    description: 'What can be converted, what it costs, and which options it takes.',
  },
  { path: /^/, name: 'Conversions', description: 'Submit a file, follow its job, download the output.' },
]

/** Groups the operations by tag, for readers of the document. */
function addTags(document: OpenApi): void {
  document.tags = groups.map(({ path: _, ...tag }) => tag)
  for (const [path, operations] of Object.entries(document.paths)) {
    const group = groups.find(each => each.path.test(path))
    if (group) for (const operation of Object.values(operations)) operation.tags = [group.name]
  }
}

/** The shapes that readers and generated clients know by name. */
const named: Readonly<Record<string, object>> = {
  Error: ErrorResponse,
  ErrorCode,
  JobAccepted: shapes.JobAccepted,
  Job: shapes.JobStatusResponse,
  ConvertForm: shapes.ConvertForm,
  ConvertFromUrl: shapes.ConvertFromUrl,
  JobList: shapes.JobList,
  Costing: shapes.CostingInfo,
  Conversion: shapes.ConversionItem,
  ConversionEdge: shapes.ConversionEdge,
  Conversions: shapes.GetConversionsResponse,
  Estimate: shapes.CostEstimateResponse,
  Inspection: shapes.Inspection,
  JobSucceeded: shapes.JobSucceeded,
  JobFailed: shapes.JobFailed,
  Preset: shapes.PresetResponse,
  Entitlements: shapes.EntitlementsResponse,
}

/** Moves the named shapes to `components`, wherever the document repeats them. */
function nameShapes(document: OpenApi): void {
  const names = new Map(Object.entries(named).map(([name, shape]) => [JSON.stringify(shape), name]))
  const refer = (value: unknown, self?: string): unknown => {
    if (typeof value !== 'object' || value === null) return value
    const name = names.get(JSON.stringify(value))
    if (name !== undefined && name !== self) return { $ref: `#/components/schemas/${name}` }
    if (Array.isArray(value)) return value.map(item => refer(item))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, refer(item)]))
  }
  Object.assign(document, refer({ paths: document.paths, webhooks: document.webhooks }))
  document.components.schemas = Object.fromEntries(
    Object.entries(named).map(([name, shape]) => [name, refer(JSON.parse(JSON.stringify(shape)), name)]),
  )
}

/** What callers, their number, and the service itself are to blame for everywhere; 405 is of other methods at the same path. */
const REFUSALS = [400, 401, 403, 405, 429, 431, 500, 503]
const UPLOAD_REFUSALS = [408, 413, 507]
/** Those that an operation has besides. */
const furtherRefusals: Readonly<Record<string, readonly number[]>> = {
  convert: [...UPLOAD_REFUSALS, 402, 422],
  convertFile: [...UPLOAD_REFUSALS, 402, 422],
  inspect: UPLOAD_REFUSALS,
  getJob: [404],
  watchJob: [404],
  downloadJob: [404, 409, 410],
  cancelJob: [404, 409],
  deleteJob: [404, 409],
}
/** What stands in the sentences of examples. */
const parameters = {
  ...{ name: 'photo.png', source: 'png', content: 'pdf', target: 'docx', targets: 'jpg, webp' },
  ...{ required: 2, available: 1, perSecond: 20, megabytes: 100, most: 3, seconds: 60, status: 404 },
  ...{ kind: 'empty', host: 'example.com', variant: 'best', variants: 'fast, quality' },
}

/** Writes every refusal with the codes that it may have, once, and names them at the operations. */
function addRefusals({ components, paths }: OpenApi): void {
  const nameOf = (status: number) => STATUS_CODES[status]!.replaceAll(' ', '')
  const retry = { description: 'Seconds after which to ask again.', schema: { type: 'integer' } }
  const allow = { description: 'The methods that the path has.', schema: { type: 'string' } }
  const headers: Record<number, object> = {
    ...{ 405: { Allow: allow }, 429: { 'Retry-After': retry }, 503: { 'Retry-After': retry } },
  }
  const refusal = (description: string, codes: readonly string[], further = {}) => {
    const examples = codes.map(code => {
      const detail = render({ key: code, parameters } as Message, 'en')
      return [code, { value: { error: code, detail } }]
    })
    const schema = { $ref: '#/components/schemas/Error' }
    const content = { 'application/json': { schema, examples: Object.fromEntries(examples) } }
    return { description, ...further, content }
  }
  const codes = Object.groupBy(Object.entries(requestErrors), ([, status]) => status)
  const named = Object.entries(codes).map(([status, each = []]) => {
    const [description, these] = [STATUS_CODES[status]!, each.map(([code]) => code)]
    return [nameOf(Number(status)), refusal(description, these, { headers: headers[Number(status)] })]
  })
  components.responses = { ...Object.fromEntries(named), Refusal: refusal('Any other refusal.', []) }
  for (const { operationId, responses } of Object.values(paths).flatMap(path => Object.values(path))) {
    const statuses = [...REFUSALS, ...(furtherRefusals[operationId] ?? [])]
    const names = statuses.map(status => [String(status), nameOf(status)] as const)
    // One by one, since ranges of statuses make some generators write programs that cannot be compiled.
    for (const [status, name] of [...names, ['default', 'Refusal']] as const)
      responses[status] = { $ref: `#/components/responses/${name}` }
  }
}

/** Adds an example to every answer that succeeds and is no file, and to what is sent: that of its shape, or of its type. */
function addAnswers({ paths, webhooks = {} }: OpenApi): void {
  const operations = [...Object.values(paths), ...Object.values(webhooks)].flatMap(Object.values<Operation>)
  const bodies = operations.flatMap(each => [each.responses[200], each.responses[202], each.requestBody])
  for (const [type, media] of bodies.flatMap(body => Object.entries(body?.content ?? {}))) {
    const { $ref, items }: Reference = media.schema
    const example = (answers as Record<string, unknown>)[($ref ?? items?.$ref)?.split('/').at(-1) ?? type]
    if (example) media.example = items ? [example] : example
  }
}

/** Adds what is sent to the addresses that submissions name. */
function addWebhooks(document: OpenApi): void {
  const webhook = (operationId: string, summary: string, schema: object) => {
    const requestBody = { content: { 'application/json': { schema } } }
    const description = 'Signed in `X-Service-Signature`; sent again after 429, a 5xx and silence.'
    const responses = { '2XX': { description: 'It has come.' } }
    return { post: { operationId, summary, description, tags: ['Conversions'], requestBody, responses } }
  }
  document.webhooks = {
    'job.succeeded': webhook('jobSucceeded', 'A job has succeeded', shapes.JobSucceeded),
    'job.failed': webhook('jobFailed', 'A job has failed', shapes.JobFailed),
  }
}

/** Adds the bodies that are not JSON, which route schemas cannot describe: the upload form, downloads and streams. */
function addBinaryBodies({ paths }: OpenApi): void {
  for (const path of ['/convert', '/convert/file']) {
    const submission = paths[path]?.post
    if (!submission) continue
    submission.requestBody = {
      required: true,
      content: {
        'multipart/form-data': { schema: shapes.ConvertForm },
        'application/json': { schema: shapes.ConvertFromUrl },
      },
    }
  }
  const { file: part } = shapes.ConvertForm.properties
  const file = { type: 'object', properties: { file: part }, required: ['file'] }
  const inspection = paths['/convert/inspect']?.post
  if (inspection)
    inspection.requestBody = { required: true, content: { 'multipart/form-data': { schema: file } } }
  const answer = (path: string, type: string, schema: object) => {
    const operation = paths[path]?.get ?? paths[path]?.post
    if (operation)
      operation.responses['200'] = { description: 'OK', content: { [type]: { schema } } } as object
  }
  answer('/convert/file', 'application/octet-stream', { type: 'string', format: 'binary' })
  answer('/convert/job/{id}/download', 'application/octet-stream', { type: 'string', format: 'binary' })
  answer('/convert/job/{id}/events', 'text/event-stream', { type: 'string' })
  answer('/convert/schema', 'application/schema+json', { type: 'object' })
  answer('/convert/schema/{from}/{to}', 'application/schema+json', { type: 'object' })
}
