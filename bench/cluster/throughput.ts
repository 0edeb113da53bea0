import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { S3Blobs } from '../../service/store/s3/blobs.ts'
import { HostProcess } from '../../testing/servers/hosts/processes.ts'
import { postgresStores } from '../../testing/servers/postgres.ts'
import { report } from '../harness.ts'
import { benchJob, LIMITS, newSecretsKey, putInput } from './jobs.ts'
import { startShared } from './shared.ts'

const SLOTS = 6
const SLEEP_MS = 1_000
/** Jobs per slot. */
const ROUNDS = 20
/** Enough accounts to keep the slots of all hosts busy with 6 jobs each. */
const ACCOUNTS = 3
/** The rate is taken between these shares of ended jobs: before the first, workers start; after the second, slots run empty. */
const [FROM, TO] = [0.2, 0.9]

/** Jobs per second of that many hosts whose workers sleep instead of converting. */
async function rate(count: number): Promise<number> {
  await using stack = new AsyncDisposableStack()
  const { folder, storage, postgres } = await startShared(stack)
  const url = await postgres.createDatabase()
  const place = storage.place()
  const secretsKey = newSecretsKey()
  const stores = stack.use(await postgresStores({ url, limits: LIMITS, secretsKey }))
  const accounts = await Promise.all(
    Array.from({ length: ACCOUNTS }, (_, number) =>
      stores.accounts.create({ name: `${number}`, credits: 1e6 }),
    ),
  )
  const hosts = Array.from({ length: count }, (_, number) => {
    const home = join(folder, `host-${number}`)
    return new HostProcess({ home, shared: { url, place, secretsKey }, slots: SLOTS })
  })
  stack.defer(async () => void (await Promise.all(hosts.map(host => host.end('SIGTERM')))))
  await Promise.all(hosts.map(host => host.start()))

  const jobs = Array.from({ length: count * SLOTS * ROUNDS }, (_, number) =>
    benchJob(accounts[number % ACCOUNTS]?.id ?? ''),
  )
  const blobs = new S3Blobs(place, join(folder, 'checkouts'))
  for (const { id } of jobs) await putInput(blobs, id, SLEEP_MS)
  for (const job of jobs) {
    await stores.jobs.submit(job)
    stores.events.publish({ type: 'job', accountId: job.accountId, jobId: job.id })
  }
  const ids = jobs.map(({ id }) => id)
  for (;;) {
    await delay(SLEEP_MS)
    const ends = (await stores.jobs.getMany(ids)).flatMap(job =>
      job.status === 'Succeeded' && job.finishedAt !== null ? [job.finishedAt] : [],
    )
    if (ends.length < jobs.length) continue
    const sorted = ends.toSorted((a, b) => a - b)
    const [first, last] = [Math.floor(FROM * ends.length), Math.floor(TO * ends.length)]
    return ((last - first) * 1000) / (sorted[last]! - sorted[first]!)
  }
}

/** Measures how throughput grows with the number of hosts. */
export async function throughput(): Promise<void> {
  const alone = await rate(1)
  const ideal = (SLOTS * 1000) / SLEEP_MS
  report(
    `1 host, ${SLOTS} slots, workers that sleep 1 s (${alone.toFixed(2)} jobs/s): of what slots allow`,
    (alone / ideal).toFixed(2),
    '≥ 0.90',
    alone / ideal >= 0.9,
  )
  for (const count of [2, 3]) {
    const together = await rate(count)
    const ratio = together / alone / count
    report(
      `${count} hosts (${together.toFixed(2)} jobs/s): throughput / ${count} × that of one`,
      ratio.toFixed(2),
      '≥ 0.90',
      ratio >= 0.9,
    )
  }
}
