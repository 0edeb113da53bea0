/** Hosts outlive a failover of the database to a standby that follows it by streaming. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { LIMITS } from '../../../service/store/contract/fixtures.ts'
import { diskBlobs } from '../../../service/store/disk/blobs.ts'
import { openPostgresStores } from '../../../service/store/postgres/stores.ts'
import { networkBefore } from '../../network.ts'
import { s3Server } from '../../s3.ts'
import { HostProcess } from '../../servers/hosts/processes.ts'
import { hasPostgres, startPostgres } from '../../servers/postgres.ts'

const HOSTS = 2
/** As long as hosts have by default to hear of a promotion. */
const LEASE_MS = 20_000
const storage = s3Server()

test.skipIf(!hasPostgres || process.platform !== 'linux')(
  'jobs go on when a standby takes the place of the database, which is not ready before',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'refile-failover-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }))
    const primary = await startPostgres({ isDurable: true })
    onTestFinished(() => primary[Symbol.asyncDispose]())
    const url = await primary.createDatabase()
    const standby = await primary.standby()
    onTestFinished(() => standby[Symbol.asyncDispose]())
    const network = await networkBefore(url)
    onTestFinished(() => network[Symbol.asyncDispose]())
    const secretsKey = randomBytes(32).toString('base64')
    const shared = { url: network.url, place: storage().place(), secretsKey }
    const hosts = Array.from(
      { length: HOSTS },
      (_, number) =>
        new HostProcess({ home: join(folder, `${number}`), shared, slots: 3, leaseMs: LEASE_MS }),
    )
    onTestFinished(async () => void (await Promise.all(hosts.map(host => host.end('SIGKILL')))))
    await Promise.all(hosts.map(host => host.start()))

    const submit = async (host: HostProcess, ms: number): Promise<string> => {
      const form = new FormData()
      form.set('targetFormat', 'webp')
      form.set('file', new Blob([`fine ${ms} input`]), 'a.jpg')
      const headers = { 'x-service-api-key': host.apiKey }
      const answer = await fetch(`${host.url}/convert`, { method: 'POST', body: form, headers })
      expect(answer.status).toBe(202)
      return ((await answer.json()) as { id: string }).id
    }
    const readiness = () =>
      Promise.all(hosts.map(async ({ url }) => (await fetch(`${url}/health/ready`)).status))
    // More than run at once, and some that outlast the failover.
    const ids: string[] = []
    for (let number = 0; number < 16; number++)
      ids.push(await submit(hosts[number % HOSTS]!, number < 4 ? 6_000 : 500))

    await primary.stop()
    network.leadTo(standby.urlOf(url))
    await expect.poll(readiness, { timeout: 10_000 }).toEqual([503, 503])
    const reading = openPostgresStores({
      ...{ url: standby.urlOf(url), home: join(folder, 'late'), limits: LIMITS, secretsKey },
      blobs: diskBlobs(join(folder, 'late')),
      onError: () => {},
    })
    await expect(reading).rejects.toThrow('read-only')
    await delay(1_000)
    expect(await readiness()).toEqual([503, 503])
    const promoted = Date.now()
    await standby.promote()
    await expect.poll(readiness, { timeout: 10_000 }).toEqual([200, 200])
    ids.push(await submit(hosts[0]!, 100))

    const client = new pg.Client({ connectionString: standby.urlOf(url) })
    await client.connect()
    onTestFinished(() => client.end())
    const open = async () =>
      (await client.query(`SELECT id FROM jobs WHERE status IN ('Queued', 'Running')`)).rows
    await expect.poll(open, { timeout: 30_000, interval: 100 }).toEqual([])
    const { rows } = await client.query<{
      id: string
      status: string
      interruptions: number
      entries: number
    }>(
      `SELECT id, status, interruptions::INT, (SELECT COUNT(*) FROM ledger WHERE job_id = jobs.id)::INT AS entries FROM jobs ORDER BY seq`,
    )
    console.log({ secondsAfterPromotion: (Date.now() - promoted) / 1000 })
    expect(rows).toEqual(ids.map(id => ({ id, status: 'Succeeded', interruptions: 0, entries: 1 })))
    expect(hosts.flatMap(({ crashes }) => crashes)).toEqual([])
  },
  120_000,
)
