import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { HostSettings } from '../../testing/servers/hosts/host.ts'
import { HostProcess } from '../../testing/servers/hosts/processes.ts'
import { median, report } from '../harness.ts'
import { newSecretsKey } from './jobs.ts'
import { startShared } from './shared.ts'

const JOBS = 200
const WARM_UP = 20

/** Submits a job, waits for its end and downloads its result. @returns milliseconds */
export async function turn({ url = '', apiKey }: HostProcess): Promise<number> {
  const headers = { 'x-service-api-key': apiKey }
  const begun = performance.now()
  const form = new FormData()
  form.set('targetFormat', 'webp')
  form.set('file', new Blob(['fine 0 input']), 'a.jpg')
  const submitted = await fetch(`${url}/convert`, { method: 'POST', body: form, headers })
  if (!submitted.ok) throw new Error(`the job was refused: ${await submitted.text()}`)
  const { id } = (await submitted.json()) as { id: string }
  const events = await (await fetch(`${url}/convert/job/${id}/events`, { headers })).text()
  if (!events.includes('"status":"Succeeded"'))
    throw new Error(`the job did not succeed: ${events.slice(-400)}`)
  await (await fetch(`${url}/convert/job/${id}/download`, { headers })).arrayBuffer()
  return performance.now() - begun
}

/** The extra cost of a job on a single host when the database and the storage are shared. */
export async function single(): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const { folder, storage, postgres } = await startShared(stack)
  await mkdir(join(folder, 'blobs'))
  const secretsKey = newSecretsKey()
  const start = async (name: string, shared?: HostSettings['shared']) => {
    const host = new HostProcess({ home: join(folder, name), slots: 6, ...(shared ? { shared } : {}) })
    stack.defer(() => host.end('SIGTERM'))
    await host.start()
    return host
  }
  const place = { kind: 'folder', path: join(folder, 'blobs') } as const
  const hosts = {
    alone: await start('alone'),
    database: await start('database', { url: await postgres.createDatabase(), place, secretsKey }),
    both: await start('both', { url: await postgres.createDatabase(), place: storage.place(), secretsKey }),
  }
  const times = { alone: [] as number[], database: [] as number[], both: [] as number[] }
  // Alternates, so that other load on the machine affects all alike.
  for (let job = -WARM_UP; job < JOBS; job++) {
    for (const name of ['alone', 'database', 'both'] as const) {
      const ms = await turn(hosts[name])
      if (job >= 0) times[name].push(ms)
    }
  }
  const alone = median(times.alone)
  for (const [name, what] of [
    ['database', 'PostgreSQL and a folder'],
    ['both', 'PostgreSQL and a storage of S3 here'],
  ] as const) {
    const more = median(times[name]) - alone
    report(
      `a job with ${what} − with SQLite (${alone.toFixed(1)} ms)`,
      `${more.toFixed(1)} ms`,
      '≤ 10 ms',
      more <= 10,
    )
  }
}
