import type { CountedBatch } from '../../work/batches/batches.ts'
import { forRole, isOfHost, ownersIf } from '../http/access.ts'
import { list, object, type Routes, string } from '../http/schema.ts'
import { ById, idempotencyKey, NextPageQuery } from '../http/shapes.ts'
import type { Services } from '../services.ts'
import { type Batch, type BatchItem, Ids, NewBatch, type Page } from './types.ts'
import { batchItems, shownBatch } from './views.ts'

const Headers = object({ 'idempotency-key': idempotencyKey('The same key means the same batch.') })
const ItemById = object({ id: string(), item: string() })
const MoreFiles = object({ fileIds: list(string(), { minItems: 1, maxItems: 10_000 }) })
const Retry = object({ items: list(string(), { minItems: 1, maxItems: 10_000 }) })

/** Batches as the app creates, shows and controls them. */
export function batchRoutes(app: Routes, services: Services): void {
  const member = forRole('member', app)
  const owner = forRole('owner', app)
  const { batches } = services
  const show = (batch: CountedBatch): Batch => shownBatch(batch, services.catalogue)

  member.post(
    '/app/batches',
    {
      schema: { body: NewBatch, headers: Headers },
      ...ownersIf<NewBatch>(body => isOfHost(body.destination)),
    },
    async ({ caller, body, headers }, reply) => {
      const { fileIds, targetFormat, options = {}, destination = { kind: 'keep' } } = body
      const request = { fileIds, targetFormat, options, destination }
      const batch = await batches.create(caller.accountId, request, headers['idempotency-key'])
      return reply.code(201).send(show(batch))
    },
  )

  member.post(
    '/app/batches/:id/files',
    { schema: { params: ById, body: MoreFiles } },
    async ({ caller, params, body }) => show(await batches.append(params.id, caller.accountId, body.fileIds)),
  )

  member.get('/app/batches', async ({ caller }) => (await batches.list(caller.accountId)).map(show))

  member.get(
    '/app/batches/:id/items',
    { schema: { params: ById, querystring: NextPageQuery } },
    async ({ caller, params, query }): Promise<Page<BatchItem>> => {
      const { after = null, limit = 50 } = query
      const found = await batches.items(params.id, caller.accountId, after, limit)
      const next = found.length === limit ? String(found.at(-1)?.position) : null
      return { items: await batchItems(found, services), next }
    },
  )

  for (const action of ['pause', 'resume', 'cancel'] as const) {
    member.post(`/app/batches/:id/${action}`, { schema: { params: ById } }, async ({ caller, params }) =>
      show(await batches[action](params.id, caller.accountId)),
    )
  }

  member.post('/app/batches/:id/items/:item/cancel', { schema: { params: ItemById } }, ({ caller, params }) =>
    batches.cancelItem(params.id, params.item, caller.accountId),
  )

  member.post(
    '/app/batches/:id/retry',
    { schema: { params: ById, body: Retry } },
    async ({ caller, params, body }, reply) =>
      reply.code(201).send(show(await batches.retry(params.id, caller.accountId, body.items))),
  )

  member.post('/app/items/remove', { schema: { body: Ids } }, ({ caller, body }) =>
    batches.removeItems(body.ids, caller.accountId),
  )

  owner.post('/app/batches/:id/items/:item/save', { schema: { params: ItemById } }, ({ caller, params }) =>
    batches.saveItem(params.id, params.item, caller.accountId),
  )
}
