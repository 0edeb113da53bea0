import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { root } from '../root.mjs'
import { install, type Program } from './install.ts'
import { picture, type Sample, samples } from './samples.ts'
import { step, version } from './step.ts'

/** How long each thing may take on a slow machine that starts everything for the first time. */
const PATIENCE_MS = 180_000

async function eventually<T>(
  what: string,
  look: () => T | null | undefined | Promise<T | null | undefined>,
): Promise<T> {
  const end = Date.now() + PATIENCE_MS
  while (Date.now() < end) {
    const found = await look()
    if (found !== null && found !== undefined) return found
    await setTimeout(200)
  }
  throw new Error(`${what} took more than ${PATIENCE_MS / 1000} seconds.`)
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Asks a program to end, as a person or the system would. */
function quit(pid: number): void {
  // Closes its windows; process.kill would end it at once.
  if (process.platform === 'win32') execFileSync('taskkill', ['/PID', String(pid)])
  else process.kill(pid, 'SIGTERM')
}

interface FromSources {
  url: string
  apiKey: string
  child: ChildProcess
}

/** The service from the sources, with a new key for its data folder. */
async function startSources(home: string): Promise<FromSources> {
  const main = join(root, 'service', 'main.ts')
  const child = spawn(process.execPath, [main, '--home', home, '--port', '0', '--print-key'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, REFILE_LOG_LEVEL: 'warn' },
  })
  const [line] = (await once(createInterface(child.stdout!), 'line')) as [string]
  return { ...(JSON.parse(line) as { url: string; apiKey: string }), child }
}

async function stopSources({ child }: FromSources): Promise<void> {
  child.kill('SIGTERM')
  if (child.exitCode === null) await once(child, 'exit')
}

interface Health {
  version: string
  engines: { name: string; available: boolean; hint: string | null }[]
}

const healthOf = async (url: string): Promise<Health> =>
  (await (await fetch(`${url}/health`)).json()) as Health

/** @throws Error naming the engines that `found` lacks or that cannot work */
export function checkEngines(found: Health, expected: readonly string[]): void {
  if (found.version !== version) throw new Error(`${found.version} answers, not ${version}.`)
  const missing = expected.filter(
    name => !found.engines.some(engine => engine.name === name && engine.available),
  )
  if (missing.length > 0) throw new Error(`/health says that these do not work: ${missing.join(', ')}.`)
}

/** Converts one file over HTTP. @throws Error unless the result begins as it should */
async function convert(
  url: string,
  apiKey: string,
  content: Buffer,
  { name, target, magic }: Sample,
): Promise<Buffer> {
  const headers = { 'X-Service-Api-Key': apiKey }
  const body = new FormData()
  body.append('targetFormat', target)
  body.append('file', new Blob([new Uint8Array(content)]), name)
  const answer = await fetch(`${url}/convert`, { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(`${name} to ${target}: ${answer.status} ${await answer.text()}`)
  const { id } = (await answer.json()) as { id: string }
  await eventually(`${name} to ${target}`, async () => {
    const job = (await (await fetch(`${url}/convert/job/${id}`, { headers })).json()) as { status: string }
    if (job.status === 'Failed') throw new Error(`${name} to ${target}: ${JSON.stringify(job)}`)
    return job.status === 'Succeeded' ? true : null
  })
  const result = Buffer.from(
    await (await fetch(`${url}/convert/job/${id}/download`, { headers })).arrayBuffer(),
  )
  if (!result.toString('latin1').startsWith(magic)) throw new Error(`${name} did not become ${target}.`)
  return result
}

/** Converts a file of each family. */
export const convertAll = async (url: string, apiKey: string): Promise<void> => {
  const results = new Map<string, Buffer>()
  for (const sample of samples()) {
    const { name, content } = sample
    const source = typeof content === 'string' ? results.get(content) : content
    if (!source) throw new Error(`There is no result of ${content} before ${name}.`)
    results.set(name, await convert(url, apiKey, source, sample))
  }
}

/**
 * What an installed app must do: start, know every engine, convert a file of each family over HTTP and one for the file manager, and
 * leave nothing running.
 * @param apiKey a key of the data folder `home`
 * @param expected names of the engines
 */
export async function smoke([program, ...words]: Program, home: string, apiKey: string, expected: string[]) {
  const env = { ...process.env, REFILE_HOME: home, REFILE_PORT: '0' }
  const start = (...more: string[]) => spawn(program, [...words, ...more], { env, stdio: 'inherit' })
  const announced = join(home, 'service.json')
  const app = start()
  const ended = once(app, 'exit')
  const { url, pid } = await eventually('The start', () =>
    existsSync(announced)
      ? (JSON.parse(readFileSync(announced, 'utf8')) as { url: string; pid: number })
      : null,
  )
  try {
    checkEngines(await healthOf(url), expected)
    await convertAll(url, apiKey)
    const source = join(home, 'from-file-manager.png')
    writeFileSync(source, picture)
    start('--to=webp', source)
    await eventually('The second start', () => existsSync(source.replace('.png', '.webp')) || null)
  } finally {
    quit(pid)
  }
  await ended
  await eventually('Quitting', () => (isAlive(pid) || existsSync(announced) ? null : true))
}

if (import.meta.main)
  await step(async () => {
    const home = mkdtempSync(join(tmpdir(), 'refile-smoke-'))
    try {
      const sources = await startSources(home)
      const engines = (await healthOf(sources.url)).engines.flatMap(({ name, available }) =>
        available ? [name] : [],
      )
      if (!process.argv.includes('--installed')) {
        try {
          await convertAll(sources.url, sources.apiKey)
        } finally {
          await stopSources(sources)
        }
        return `The service converts a file of each family; it has ${engines.join(', ')}.`
      }
      await stopSources(sources)
      await smoke(install(), home, sources.apiKey, engines)
      return `The installed app works, with ${engines.join(', ')}.`
    } finally {
      rmSync(home, { recursive: true, force: true, maxRetries: 5 })
    }
  })
