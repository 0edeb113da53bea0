import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { isFull } from '../../../testing/fixtures/full.ts'
import { spawnForTests } from '../../../testing/servers/hosts/spawn.ts'
import { folderOf, json, type TestService, testService } from '../../../testing/service.ts'
import { engines } from '../../convert/catalogue/engines.ts'
import { workerEnvironment } from '../workers/environment.ts'
import { WorkerPool } from '../workers/pool.ts'
import { landlockVersion } from './landlock.ts'
import { loadLibc } from './libc.ts'

/** Native programs, started by a worker of a running service, that try what no converter has a reason for. */

const EACCES = 13
const EPERM = 1

const canTry = process.platform === 'linux' && existsSync('/usr/bin/cc') && landlockVersion(loadLibc()) > 0

let folder: string
let program: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'refile-trespass-'))
  program = join(folder, 'trespasser')
  if (canTry)
    execFileSync('cc', ['-o', program, join(import.meta.dirname, '../../../testing', 'trespasser.c')])
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const confined = {
  workerEntry: join(import.meta.dirname, '../../../testing', 'confined-worker.ts'),
  memoryLimitMegabytes: 400,
}

/** Has a program do things in a worker. @returns the answer to each */
async function tried(service: TestService, words: readonly string[]): Promise<Record<string, number>> {
  const { id } = await json<{ id: string }>(service.submit('a.jpg', words.join('\n'), 'webp'))
  expect(await service.finished(id)).toMatchObject({ status: 'Succeeded' })
  const text = await (await service.call(`/convert/job/${id}/download`)).text()
  const answers = new Map(
    text
      .trim()
      .split('\n')
      .map(line => line.split(' ') as [string, string]),
  )
  return Object.fromEntries([...answers].map(([what, error]) => [what, Number(error)]))
}

test.runIf(canTry)('a program gets no file that its task does not need', async () => {
  const person = join(folder, 'person')
  await mkdir(person)
  await writeFile(join(person, 'letter'), 'private')
  vi.stubEnv('HOME', person)
  onTestFinished(() => void vi.unstubAllEnvs())
  const service = await testService({ ...confined, ffmpeg: program })
  const { id: other } = await json<{ id: string }>(service.submit('b.jpg', 'nap', 'webp'))
  await expect.poll(() => folderOf(service.home, other)).toContain('workers')
  const otherFolder = await folderOf(service.home, other)
  const files = ['refile.sqlite', 'secrets.key', 'host-id']

  const refused = [
    `open:${person}/letter`,
    `write:${person}/letter`,
    `list:${person}`,
    `truncate:${person}/letter`,
    `remove:${person}/letter`,
    `rename:${person}/letter`,
    `chmod:${person}/letter`,
    `times:${person}/letter`,
    'mode:{input}',
    'time:{input}',
    `limit:${process.pid}`,
    `priority:${process.pid}`,
    ...files.map(name => `open:${join(service.home, name)}`),
    `list:${service.home}`,
    `list:${join(service.home, 'blobs')}`,
    `list:${join(service.home, 'workers')}`,
    `list:${otherFolder}`,
    `write:${otherFolder}/written`,
    `write:${service.home}/scratch/written`,
    `write:${tmpdir()}/refile-written`,
    `list:${tmpdir()}`,
    'open:/etc/hostname',
    'open:/proc/1/environ',
    `open:/proc/${process.pid}/environ`,
    'write:{above}/../beside',
    'write:{input}',
    'link:{folder}/link',
    'write:/etc/passwd',
    'watch',
    'socket',
    // What a question to a resolver goes by, and the ways around it.
    'datagram',
    'pair',
    'ring',
    'session',
  ]
  const allowed = ['open:{input}', 'write:{folder}/new', 'open:{folder}/new', 'remove:{folder}/new']
  const answers = Object.values(await tried(service, [...allowed, ...refused, `kill:${process.pid}`]))
  expect(answers.slice(0, allowed.length)).toEqual(allowed.map(() => 0))
  const rest = answers.slice(allowed.length)
  expect(refused.map((what, nth) => `${what} ${rest[nth]}`)).toEqual(refused.map(what => `${what} ${EACCES}`))
  expect(rest.at(-1)).toBe(EPERM)
  expect(await readFile(join(person, 'letter'), 'utf8')).toBe('private')
  await service.call(`/convert/job/${other}`, { method: 'DELETE' })
})

if (canTry && isFull)
  test.each([
    ['multiply', 'jobs.engine_crashed'],
    ['grow', 'jobs.too_large'],
  ])(
    'a program that does nothing but %s is ended, with all it started, and the service goes on',
    async (word, code) => {
      const service = await testService({ ...confined, ffmpeg: program })
      const { id } = await json<{ id: string }>(service.submit('a.jpg', word, 'webp'))
      expect(await service.finished(id)).toMatchObject({ status: 'Failed', error: { code } })
      const running = () => execFileSync('ps', ['-eo', 'args']).toString().split('\n')
      expect(running().filter(line => line.startsWith(program))).toEqual([])
      expect(Object.values(await tried(service, ['open:{input}']))).toEqual([0])
    },
  )

test.runIf(canTry)('a worker cannot pass another file off as its output', async () => {
  const service = await testService({ ...confined, ffmpeg: program })
  const secret = join(folder, 'secret')
  await writeFile(secret, 'private')
  for (const path of [secret, join(service.home, 'secrets.key'), '../../secrets.key']) {
    const { id } = await json<{ id: string }>(service.submit('a.jpg', `name ${path}`, 'webp'))
    expect(await service.finished(id)).toMatchObject({
      status: 'Failed',
      error: { code: 'jobs.engine_crashed' },
    })
  }
  expect(await readFile(secret, 'utf8')).toBe('private')
  expect(existsSync(join(service.home, 'secrets.key'))).toBe(true)
})

const otherDisk = '/dev/shm'
test.runIf(canTry && existsSync(otherDisk)).each([
  ['copied', 0],
  ['granted to a process of its own', 65 * 2 ** 20],
])('a file of another disk is %s', async (_, bytes) => {
  const elsewhere = await mkdtemp(join(otherDisk, 'refile-'))
  onTestFinished(() => rm(elsewhere, { recursive: true, force: true }))
  const [path, beside] = [join(elsewhere, 'a.jpg'), join(elsewhere, 'b.jpg')]
  const words = ['open:{input}', 'write:{input}', `open:${beside}`]
  for (const file of [path, beside]) {
    await writeFile(file, words.join('\n'))
    if (bytes > 0) await truncate(file, bytes)
  }
  const root = join(folder, `disk-${bytes}`)
  await mkdir(join(root, 'task'), { recursive: true })
  const pool = new WorkerPool(spawnForTests, {
    entry: confined.workerEntry,
    env: workerEnvironment(
      {
        ffmpeg: program,
        home: root,
        models: null,
        resources: null,
        slots: 1,
        offline: false,
        fetchPacks: true,
      },
      undefined,
      root,
    ),
    folders: root,
    places: { convert: 1, measure: 1 },
    memoryBudgetBytes: Number.POSITIVE_INFINITY,
  })
  onTestFinished(() => pool.close())
  const input = { path, name: 'a.jpg', stem: 'a', bytes, format: 'jpg' as const }
  const task = { job: 'image.jpg-to-webp', input, options: {}, folder: join(root, 'task'), cores: 1 }
  const options = { engine: engines.pixels, queue: 'convert', timeoutMs: 60_000 } as const
  const output = await pool.run('convert', task, options)
  const answers = (await readFile(output.path, 'utf8')).trim().split('\n')
  expect(answers.map(line => Number(line.split(' ').at(-1)))).toEqual([0, EACCES, EACCES])
  expect(existsSync(path)).toBe(true)
  if (bytes > 0) await expect.poll(() => pool.size).toBe(0)
})
