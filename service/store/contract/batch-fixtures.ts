import { message } from '../../shared/messages/message.ts'
import type { BatchCounts, BatchItemRecord, BatchRecord, Destination } from '../interfaces/batches.ts'
import { guid } from '../interfaces/ids.ts'
import type { Job } from '../interfaces/jobs.ts'
import type { Stores } from '../interfaces/stores.ts'
import { newFile } from './files.ts'
import { claim, submitted, success } from './fixtures.ts'

/** A problem that pauses a batch. */
export const problem = { code: 'destination.gone', reason: message('input.changed') }

/** Stages files and creates a batch with them. */
export async function newBatch(
  stores: Stores,
  accountId: string,
  count: number,
  destination: Destination = { kind: 'keep' },
): Promise<{ batch: BatchRecord; items: BatchItemRecord[] }> {
  const files = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      stores.files.add(newFile(accountId, { name: `${index}.jpg` })),
    ),
  )
  const batch = await stores.batches.create(
    {
      id: guid(),
      accountId,
      host: 'here',
      source: 'jpg',
      targetKey: 'webp',
      options: { quality: 5 },
      destination,
    },
    files.map(({ id, name, relativePath, bytes, format, addedAt, originalPath, modifiedAt }) => ({
      ...{ id: guid(), fileId: id, name, relativePath, bytes },
      ...{ format, addedAt, originalPath, modifiedAt },
    })),
  )
  return { batch, items: await stores.batches.items(batch.id, null, count) }
}

/** Submits the next item's job. */
export async function admit(stores: Stores, accountId: string): Promise<{ item: BatchItemRecord; job: Job }> {
  const next = await stores.batches.nextItem(accountId)
  if (!next) throw new Error('no item waits')
  const { item } = next
  return { item, job: await submitted(stores, accountId, { fileId: item.fileId }, { itemId: item.id }) }
}

/** Submits, claims and ends the next item's job. */
export async function convert(
  stores: Stores,
  accountId: string,
): Promise<{ item: BatchItemRecord; job: Job }> {
  const { item } = await admit(stores, accountId)
  const job = (await claim(stores))!
  await stores.jobs.succeed(job, success(job, { expiresAt: 1000 }))
  return { item, job }
}

export const countsOf = async (stores: Stores, id: string): Promise<BatchCounts | undefined> =>
  (await stores.batches.counts([id])).get(id)
