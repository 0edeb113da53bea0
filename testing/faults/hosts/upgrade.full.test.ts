/**
 * The release before and this one work on one database: hosts are replaced one by one while jobs are submitted, two of which take
 * longer than a host drains; then one goes back. The release before is the newest tag that this is not, or without one the last commit
 * before the schema changed.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../../../setup/root.mjs'
import { hasPostgres, startPostgres } from '../../servers/postgres.ts'
import { anyCredentials, startS3 } from '../../servers/s3.ts'
import { startBalancer } from './balancer.ts'

const HOSTS = 3
/** Shorter than the long jobs take. */
const DRAIN_SECONDS = 2
const SCHEMA = 'service/store/postgres/0*.sql'

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

/** The release before; undefined if this is not a repository with its history. */
const before = (() => {
  try {
    const head = git('rev-parse', 'HEAD')
    const tags = git('tag', '--list', 'v*', '--sort=-version:refname').split('\n').filter(Boolean)
    const tag = tags.find(name => git('rev-parse', `${name}^{commit}`) !== head)
    if (tag !== undefined) return tag
    const change = git('log', '-1', '--format=%H', '--', SCHEMA)
    return change === '' ? undefined : git('rev-parse', `${change}^`)
  } catch {
    return undefined
  }
})()

interface Running {
  url: string
  child: ChildProcess
  apiKey?: string
}

test.skipIf(!hasPostgres || before === undefined || process.platform !== 'linux')(
  'hosts of the release before and of this one do each other’s jobs, and none is lost while they are replaced',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'refile-upgrade-'))
    await using stack = new AsyncDisposableStack()
    stack.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }))
    await chmod(folder, 0o711)
    const old = join(folder, 'before')
    await mkdir(old)
    const archive = execFileSync('git', ['archive', before ?? ''], {
      cwd: root,
      maxBuffer: 2 ** 30,
    })
    execFileSync('tar', ['-x', '-C', old], { input: archive })
    await symlink(join(root, 'node_modules'), join(old, 'node_modules'))

    const storage = stack.use(await startS3(join(folder, 's3')))
    const { bucket, endpoint = '' } = storage.place()
    const postgres = stack.use(await startPostgres())
    const database = await postgres.createDatabase()
    const balancer = stack.use(await startBalancer(0))
    const { host: address } = new URL(balancer.url)
    const environment = {
      ...anyCredentials,
      REFILE_DATABASE_URL: database,
      REFILE_BLOBS: `s3://${bucket}?endpoint=${endpoint}&style=path`,
      REFILE_SECRETS_KEY: randomBytes(32).toString('base64'),
      REFILE_ALLOWED_HOSTS: address,
      REFILE_RATE_LIMIT: '0',
      REFILE_SLOTS: '2',
      REFILE_DRAIN_SECONDS: String(DRAIN_SECONDS),
      REFILE_LOG_LEVEL: 'error',
    }
    const hosts: Running[] = []
    const direct = () => balancer.direct(hosts.map(({ url }) => url))
    const start = async (code: string, number: number, ...args: string[]): Promise<Running> => {
      const main = join(code, 'service', 'main.ts')
      const home = join(folder, `host-${number}`)
      const child = spawn(process.execPath, [main, '--port', '0', '--home', home, ...args], {
        stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
        env: { ...process.env, ...environment },
      })
      onTestFinished(() => void child.kill('SIGKILL'))
      const line = await Promise.race([
        once(child.stdout!, 'data').then(([data]) => JSON.parse(String(data))),
        once(child, 'exit').then(([code]) => Promise.reject(new Error(`a host ended with ${code}`))),
      ])
      hosts[number] = { ...line, child }
      direct()
      return hosts[number]!
    }
    const replace = async (number: number, code: string) => {
      const { child } = hosts[number]!
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      expect(await exited).toEqual([0, null])
      await start(code, number)
      await balancer.ready(HOSTS)
    }

    const { apiKey = '' } = await start(old, 0, '--print-key')
    await start(old, 1)
    await start(old, 2)
    await balancer.ready(HOSTS)
    const client = stack.adopt(new pg.Client({ connectionString: database }), each => each.end())
    await client.connect()
    const schema = async () =>
      (await client.query('SELECT version::INT, usable_from::INT FROM refile_schema')).rows[0]
    const schemaBefore = await schema()

    const headers = { 'x-service-api-key': apiKey }
    let number = 0
    /** Submits until it is accepted, as a client does that follows the contract. */
    const submit = async (
      content: Uint8Array,
      name: string,
      to: string,
      url = balancer.url,
    ): Promise<string> => {
      const key = `upgrade-${++number}`
      for (;;) {
        const form = new FormData()
        form.set('targetFormat', to)
        form.set('file', new Blob([new Uint8Array(content)]), name)
        const answer = await fetch(`${url}/convert`, {
          method: 'POST',
          body: form,
          headers: { ...headers, 'idempotency-key': key },
        }).catch(() => undefined)
        if (answer?.status === 202) return ((await answer.json()) as { id: string }).id
        if (answer && ![429, 502, 503].includes(answer.status))
          throw new Error(`${answer.status} ${await answer.text()}`)
        await answer?.body?.cancel()
        await delay(200)
      }
    }
    const ended = async (id: string) => {
      for (;;) {
        const { rows } = await client.query(
          'SELECT status, attempts::INT, error_code FROM jobs WHERE id = $1',
          [id],
        )
        if (!['Queued', 'Running'].includes(rows[0].status)) return rows[0]
        await delay(100)
      }
    }
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
    const size = { width: 3000, height: 3000, channels: 3, background: 'white', noise } as const
    const large = await sharp({ create: size }).jpeg({ quality: 60 }).toBuffer()
    const small = await sharp({ create: { ...size, width: 200, height: 200 } })
      .jpeg()
      .toBuffer()

    const ids: string[] = []
    const long = [await submit(large, 'a.jpg', 'avif'), await submit(large, 'b.jpg', 'avif')]
    let isOver = false
    stack.defer(() => {
      isOver = true
    })
    const load = (async () => {
      while (!isOver) {
        const id = await submit(small, 'c.jpg', 'webp')
        ids.push(id)
        await ended(id)
      }
    })()
    load.catch(() => {})
    await replace(0, root)
    expect((await schema()).version).toBeGreaterThan(0)
    // Each takes jobs that the other was asked for, and answers about them.
    const [newer, older] = [hosts[0]!, hosts[1]!]
    for (const [asked, other] of [
      [newer, older],
      [older, newer],
    ] as const) {
      const some = await Promise.all(
        Array.from({ length: 6 }, () => submit(small, 'd.jpg', 'png', asked.url)),
      )
      for (const id of some) {
        expect(await ended(id)).toMatchObject({ status: 'Succeeded' })
        const output = await fetch(`${other.url}/convert/job/${id}/download`, { headers })
        expect(await sharp(Buffer.from(await output.arrayBuffer())).metadata()).toMatchObject({
          format: 'png',
        })
      }
      ids.push(...some)
    }
    await replace(1, root)
    await replace(2, root)
    await replace(1, old)
    ids.push(await submit(small, 'e.jpg', 'webp', hosts[1]!.url))
    isOver = true
    await load
    const longEnds = await Promise.all(long.map(ended))
    for (const id of ids) expect(await ended(id)).toMatchObject({ status: 'Succeeded', error_code: null })
    expect(longEnds.map(({ status }) => status)).toEqual(['Succeeded', 'Succeeded'])
    // At least one was under way when its host was replaced.
    expect(Math.max(...longEnds.map(({ attempts }) => attempts))).toBeGreaterThan(1)
    const { rows: owners } = await client.query(
      'SELECT lease_owner, COUNT(*)::INT AS jobs FROM jobs GROUP BY lease_owner ORDER BY 2',
    )
    const { rows: wrong } = await client.query(
      `SELECT job_id FROM ledger WHERE job_id IS NOT NULL GROUP BY job_id HAVING COUNT(*) <> 1`,
    )
    expect(wrong).toEqual([])
    const { rows: interrupted } = await client.query('SELECT id FROM jobs WHERE interruptions > 0')
    expect(interrupted).toEqual([])
    console.log({
      before,
      schemaBefore,
      schema: await schema(),
      jobs: ids.length + long.length,
      longEnds,
      owners,
    })
    const exits = hosts.map(({ child }) => once(child, 'exit'))
    for (const { child } of hosts) child.kill('SIGINT')
    await Promise.all(exits)
  },
  600_000,
)
