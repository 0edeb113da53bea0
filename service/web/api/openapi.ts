import swagger from '@fastify/swagger'
import { version } from '../../shared/config.ts'
import type { Routes } from '../http/schema.ts'
import { ConvertForm, ConvertFromUrl } from './shapes.ts'

/**
 * Collects the schemas of all routes registered on `app` after this call into an OpenAPI 3.1 document, served at `/openapi.json`.
 */
export async function describeApi(app: Routes, url: () => string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Refile conversion API',
        version,
        description: 'Converts files on this machine: submit, poll, download. See docs/api.md.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Service-Api-Key' } } },
      security: [{ key: [] }],
    },
  })
  app.get('/openapi.json', { schema: { hide: true } }, async () => {
    const document = structuredClone(app.swagger()) as unknown as OpenApi
    document.servers = [{ url: url() }]
    addBinaryBodies(document)
    addTags(document)
    return document
  })
}

interface OpenApi {
  servers?: { url: string }[]
  paths: Record<
    string,
    Record<
      string,
      { tags?: string[]; requestBody?: unknown; responses: Record<string, { content?: unknown }> }
    >
  >
}

/** Tag of each operation by the beginning of its path; the first match counts. */
const tags: readonly [path: string, tag: string][] = [
  ['/health', 'Service'],
  ['/convert/entitlements', 'Account'],
  ['/convert/conversions', 'Catalogue'],
  ['/convert/estimate', 'Catalogue'],
  ['/convert/schema', 'Catalogue'],
  ['/convert', 'Conversions'],
]

/** Groups the operations by tag, for readers of the document. */
function addTags({ paths }: OpenApi): void {
  for (const [path, operations] of Object.entries(paths)) {
    const tag = tags.find(([start]) => path.startsWith(start))?.[1]
    if (tag) for (const operation of Object.values(operations)) operation.tags = [tag]
  }
}

/** Adds the bodies that are not JSON, which route schemas cannot describe: the upload form, downloads and streams. */
function addBinaryBodies({ paths }: OpenApi): void {
  const convert = paths['/convert']?.post
  if (convert) {
    convert.requestBody = {
      required: true,
      content: {
        'multipart/form-data': { schema: ConvertForm },
        'application/json': { schema: ConvertFromUrl },
      },
    }
  }
  const answer = (path: string, type: string, schema: object) => {
    const operation = paths[path]?.get
    if (operation)
      operation.responses['200'] = { description: 'OK', content: { [type]: { schema } } } as object
  }
  answer('/convert/job/{id}/download', 'application/octet-stream', { type: 'string', format: 'binary' })
  answer('/convert/job/{id}/events', 'text/event-stream', { type: 'string' })
  answer('/convert/schema', 'application/schema+json', { type: 'object' })
  answer('/convert/schema/{from}/{to}', 'application/schema+json', { type: 'object' })
}
