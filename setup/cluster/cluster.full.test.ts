import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { signIn } from '../../service/host/running.ts'
import { hasPostgres } from '../../testing/servers/postgres.ts'
import { root } from '../root.mjs'

interface Printed {
  url: string
  apiKey: string
  pageUrl: string
  hosts: { url: string; pid: number }[]
  database: string
}

/** Processes whose environment or command line contains a folder. */
function processesOf(folder: string): string[] {
  const isAbout = (pid: string) =>
    ['environ', 'cmdline'].some(file => {
      try {
        return readFileSync(`/proc/${pid}/${file}`, 'latin1').includes(folder)
      } catch {
        return false
      }
    })
  return readdirSync('/proc').filter(name => /^\d+$/.test(name) && isAbout(name))
}

/** Starts the cluster from the sources, with everything it creates in one folder. */
async function start(folder: string): Promise<{ child: ChildProcess; printed: Printed }> {
  const args = ['--main', join(root, 'service', 'main.ts'), '--port', '0']
  const child = spawn(process.execPath, [join(root, 'setup', 'cluster', 'main.ts'), ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, TMPDIR: folder },
  })
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', data => resolve(String(data)))
    child.once('exit', code => reject(new Error(`the cluster ended with ${code}`)))
  })
  return { child, printed: JSON.parse(line) }
}

test.skipIf(!hasPostgres || process.platform !== 'linux')(
  'a cluster is one service, whose jobs outlive a host, and leaves nothing behind',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'refile-test-'))
    // The database may run as another user.
    await chmod(folder, 0o711)
    const { child, printed } = await start(folder)
    const exited = new Promise<number | null>(resolve => child.once('exit', resolve))
    onTestFinished(async () => {
      child.kill('SIGINT')
      await exited
      await rm(folder, { recursive: true, force: true })
    })
    const { url, apiKey, hosts } = printed
    expect(hosts).toHaveLength(3)

    // The link of one host opens the app on all hosts; their page may only be requested with the balancer's address.
    const session = await signIn(printed.pageUrl)
    const ask = (headers: Record<string, string>, path = '/app/session') =>
      fetch(`${url}${path}`, { headers }).then(({ status }) => status)
    for (let time = 0; time < 6; time++) expect(await ask({ ...session, origin: url })).toBe(200)
    expect(await ask({ ...session, origin: 'http://127.0.0.1:1' })).toBe(403)
    expect(await ask({}, '/convert/job/x')).toBe(401)

    const headers = { 'x-service-api-key': apiKey }
    const form = new FormData()
    form.set('targetFormat', 'webp')
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
    const picture = sharp({ create: { width: 1600, height: 1000, channels: 3, background: 'white', noise } })
    form.set('file', new Blob([new Uint8Array(await picture.jpeg().toBuffer())]), 'a.jpg')
    const submitted = await fetch(`${url}/convert`, { method: 'POST', body: form, headers })
    const { id } = (await submitted.json()) as { id: string }

    const database = new pg.Client({ connectionString: printed.database })
    await database.connect()
    const owner = async () => {
      const { rows } = await database.query('SELECT lease_owner FROM jobs WHERE id = $1', [id])
      return rows[0]?.lease_owner as string | null
    }
    await expect.poll(owner).not.toBeNull()
    const [cluster = ''] = readdirSync(folder).filter(name => name.startsWith('refile-cluster-'))
    const idOf = (number: number) => readFile(join(folder, cluster, `host-${number + 1}`, 'host-id'), 'utf8')
    const ids = (await Promise.all([0, 1, 2].map(idOf))).map(text => text.trim())
    process.kill(hosts[ids.indexOf((await owner()) ?? '')]!.pid, 'SIGKILL')
    await database.end()

    const events = await (await fetch(`${url}/convert/job/${id}/events`, { headers })).text()
    expect(events).toContain('"status":"Succeeded"')
    const output = await (await fetch(`${url}/convert/job/${id}/download`, { headers })).arrayBuffer()
    expect(await sharp(Buffer.from(output)).metadata()).toMatchObject({ format: 'webp', width: 1600 })

    child.kill('SIGINT')
    expect(await exited).toBe(0)
    await expect.poll(() => processesOf(folder)).toEqual([])
    expect(readdirSync(folder)).toEqual([])
  },
)
