import { expect } from 'vitest'
import { signIn } from '../service/host/owner.ts'
import type {
  AppJob,
  Batch,
  BatchItem,
  NewBatch,
  Page,
  StagedFile,
  StagedFiles,
} from '../service/web/app/types.ts'
import { json } from './service.ts'

/** A service as the page uses it: with a session and its own origin. */
export async function openApp({ url, openUrl }: { url: string; openUrl: string | (() => Promise<string>) }) {
  const session = await signIn(typeof openUrl === 'string' ? openUrl : await openUrl())
  const call = (path: string, init: RequestInit = {}) =>
    fetch(`${url}${path}`, { ...init, headers: { ...session, origin: url, ...(init.headers as object) } })
  const post = (path: string, body: object) =>
    call(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })
  const drop = (name: string, content: string | Uint8Array<ArrayBuffer>, path?: string) => {
    const form = new FormData()
    if (path !== undefined) form.set('path', path)
    form.set('file', new Blob([content]), name)
    return call('/app/files', { method: 'POST', body: form })
  }
  /** Stages files by name and content, and returns their ids. */
  const stage = async (files: readonly (readonly [name: string, content: string, path?: string])[]) => {
    const ids: string[] = []
    for (const file of files) ids.push((await json<StagedFile>(drop(...file))).id)
    return ids
  }
  /** Files that wait to be converted. */
  const waiting = async () => (await json<StagedFiles>(call('/app/files'))).files
  const job = async (id: string) =>
    (await json<Page<AppJob>>(call('/app/jobs'))).items.find(found => found.id === id)
  const finished = async (id: string) => {
    await expect.poll(async () => (await job(id))?.status).not.toMatch(/Queued|Running/)
    return job(id)
  }
  const createBatch = (batch: NewBatch) => json<Batch>(post('/app/batches', batch))
  const batches = () => json<Batch[]>(call('/app/batches'))
  const batch = async (id: string) => (await batches()).find(found => found.id === id)
  const items = async (id: string) =>
    (await json<Page<BatchItem>>(call(`/app/batches/${id}/items?limit=200`))).items
  /** Converts a staged file as the page does, in a batch of its own, and returns its item once it was submitted or refused. */
  const convertItem = async (fileId: string | undefined, targetFormat: string, options: object = {}) => {
    const { id } = await createBatch({ fileIds: [fileId ?? ''], targetFormat, options: { ...options } })
    const item = async () => (await items(id))[0]
    await expect.poll(async () => (await item())?.state).not.toBe('waiting')
    return (await item())!
  }
  const convert = async (...request: Parameters<typeof convertItem>): Promise<AppJob> =>
    (await convertItem(...request)).job!
  /** Polls until a batch reaches a state. */
  const batchIs = async (id: string, state: Batch['state'], timeout = 30_000) => {
    await expect.poll(async () => (await batch(id))?.state, { timeout }).toBe(state)
    return (await batch(id))!
  }
  return {
    session,
    call,
    post,
    drop,
    stage,
    waiting,
    job,
    finished,
    createBatch,
    batches,
    batch,
    items,
    convert,
    convertItem,
    batchIs,
  }
}
