import type { RouteOptions } from 'fastify'
import { version } from '../../shared/config.ts'
import { forRole } from '../http/access.ts'
import type { Routes } from '../http/schema.ts'
import { ErrorResponse } from '../http/shapes.ts'
import {
  ConversionEdge,
  ConversionItem,
  ConvertForm,
  ConvertFromUrl,
  CostEstimateResponse,
  CostingInfo,
  EntitlementsResponse,
  GetConversionsResponse,
  Inspection,
  JobAccepted,
  JobList,
  JobStatusResponse,
  PresetResponse,
} from './shapes.ts'

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
    nameShapes(document)
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
  paths: Record<
    string,
    Record<
      string,
      {
        tags?: string[]
        requestBody?: unknown
        responses: Record<string, { content?: unknown; $ref?: string }>
      }
    >
  >
}

/** The operations by the beginning of their path, in the order of the document; the first match of an operation counts. */
const groups: readonly { path: string; name: string; description: string }[] = [
  { path: '/convert/entitlements', name: 'Account', description: 'The plan and the credits of the caller.' },
  {
    path: '/convert/conversions',
    name: 'Catalogue',
    description: 'What can be converted, what it costs, and which options it takes.',
  },
  { path: '/convert/estimate', name: 'Catalogue', description: '' },
  { path: '/convert/schema', name: 'Catalogue', description: '' },
  { path: '/convert/presets', name: 'Catalogue', description: '' },
  {
    path: '/convert',
    name: 'Conversions',
    description: 'Submit a file, follow its job, download the output.',
  },
]

/** Groups the operations by tag, for readers of the document. */
function addTags(document: OpenApi): void {
  document.tags = groups.flatMap(({ name, description }) => (description ? [{ name, description }] : []))
  for (const [path, operations] of Object.entries(document.paths)) {
    const group = groups.find(({ path: start }) => path.startsWith(start))
    if (group) for (const operation of Object.values(operations)) operation.tags = [group.name]
  }
}

/** The shapes that readers and generated clients know by name. */
const named: Readonly<Record<string, object>> = {
  Error: ErrorResponse,
  JobAccepted,
  Job: JobStatusResponse,
  ConvertForm,
  ConvertFromUrl,
  JobList,
  Costing: CostingInfo,
  Conversion: ConversionItem,
  ConversionEdge,
  Conversions: GetConversionsResponse,
  Estimate: CostEstimateResponse,
  Inspection,
  Preset: PresetResponse,
  Entitlements: EntitlementsResponse,
}

/** Moves the named shapes, and the refusals of all operations, to `components`, wherever the document repeats them. */
function nameShapes(document: OpenApi): void {
  const names = new Map(Object.entries(named).map(([name, shape]) => [JSON.stringify(shape), name]))
  const refer = (value: unknown, self?: string): unknown => {
    if (typeof value !== 'object' || value === null) return value
    const name = names.get(JSON.stringify(value))
    if (name !== undefined && name !== self) return { $ref: `#/components/schemas/${name}` }
    if (Array.isArray(value)) return value.map(item => refer(item))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, refer(item)]))
  }
  document.paths = refer(document.paths) as OpenApi['paths']
  for (const { responses } of Object.values(document.paths).flatMap(path => Object.values(path)))
    for (const status of Object.keys(responses).filter(key => /^[45]XX$/.test(key))) {
      document.components.responses = { Refusal: responses[status] }
      responses[status] = { $ref: '#/components/responses/Refusal' }
    }
  document.components.schemas = Object.fromEntries(
    Object.entries(named).map(([name, shape]) => [name, refer(JSON.parse(JSON.stringify(shape)), name)]),
  )
}

/** Adds the bodies that are not JSON, which route schemas cannot describe: the upload form, downloads and streams. */
function addBinaryBodies({ paths }: OpenApi): void {
  for (const path of ['/convert', '/convert/file']) {
    const submission = paths[path]?.post
    if (!submission) continue
    submission.requestBody = {
      required: true,
      content: {
        'multipart/form-data': { schema: ConvertForm },
        'application/json': { schema: ConvertFromUrl },
      },
    }
  }
  const file = { type: 'object', properties: { file: ConvertForm.properties.file }, required: ['file'] }
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
