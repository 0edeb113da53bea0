import { createHook } from 'node:async_hooks'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { converters } from '../../service/convert/converters/index.ts'
import { jobFailureCodes, requestErrors } from '../../service/shared/errors.ts'
import { isFull } from '../fixtures/full.ts'
import { json, sharedService } from '../service.ts'
import type { Attack } from './attack.ts'
import { families } from './index.ts'
import { setTrap, type Trap } from './trap.ts'
import { lookingAt, MemoryWatch } from './watch.ts'

/**
 * Sends hostile files through the real service with its workers: one of each family that takes the bait to one of its
 * targets, or, with REFILE_TESTS=full, all tricks in all kinds, including the slow ones, to every target.
 */

const MEMORY_LIMIT_BYTES = 2 * 2 ** 30
const ATTACKS_AT_ONCE = 4
/** How long a hostile file may keep a worker busy, on a busy machine. */
const JOB_SECONDS = 60

const memory = new MemoryWatch()
const service = sharedService({
  spawn: memory.spawn,
  slots: 4,
  freeCredits: 1e9,
  jobTimeoutSeconds: JOB_SECONDS,
  memoryLimitMegabytes: MEMORY_LIMIT_BYTES / 2 ** 20,
})

/** How async_hooks names Node's resolver calls. */
const RESOLVING = /^(GETADDRINFO|GETNAMEINFO|QUERY)/
/** Names resolved by the service itself; workers have no sockets for asking a resolver. */
let resolved = 0
const resolutions = createHook({
  init: (_id, type) => {
    if (RESOLVING.test(type)) resolved++
  },
})

let folder: string
let trap: Trap
beforeAll(async () => {
  resolutions.enable()
  folder = await mkdtemp(join(tmpdir(), 'refile-traps-'))
  trap = await setTrap(folder)
})
afterAll(async () => {
  resolutions.disable()
  await trap.close()
  await rm(folder, { recursive: true, force: true })
})

/** Results that say nothing about the file: an engine that crashed, or one that was stopped. */
const unforeseen = new Set([
  'jobs.engine_crashed',
  'jobs.timeout',
  'jobs.interrupted',
  'server.internal_error',
])
const stated = new Set<string>([...jobFailureCodes, ...Object.keys(requestErrors)])

const targetsOf = (attack: Attack) =>
  attack.targets ??
  converters.filter(({ source, load }) => source === attack.source && load).map(({ targetKey }) => targetKey)

/** The target of an ordinary run: one that LibreOffice, which takes long to start, does not make. */
const quickTargetOf = (attack: Attack) =>
  targetsOf(attack).find(target =>
    converters.some(
      ({ source, targetKey, engine }) =>
        source === attack.source && targetKey === target && engine !== 'office',
    ),
  )!

/**
 * What the name of an output must not contain: folders, control characters, lone surrogates, and characters that hide or
 * reorder text.
 */
const HARMFUL = /[\p{Cc}\p{Cs}\u200b\u202a-\u202e\u2066-\u2069/\\]|^\.+$/u

/**
 * What is wrong with the result of a file, in words; empty for a documented failure, or an output that reveals nothing.
 */
async function ending(attack: Attack, bytes: Uint8Array | string, target: string): Promise<string[]> {
  const { submit, finished, call } = service()
  const name = attack.fileName ?? `hostile.${attack.suffix ?? attack.source}`
  const fields: Record<string, string> =
    attack.source === 'bank-statement' ? { sourceFormat: attack.source } : {}
  const answer = await submit(name, typeof bytes === 'string' ? bytes : new Uint8Array(bytes), target, fields)
  const body = (await answer.json()) as { id?: string; error?: string; detail?: string }
  if (body.id === undefined) return judged(body.error, body.detail)
  const { status, error, output } = await finished(body.id)
  const problems = status === 'Succeeded' ? [] : judged(error?.code, error?.detail)
  if (output) {
    if (HARMFUL.test(output.fileName) || Buffer.byteLength(output.fileName) > 255) {
      problems.push(`a name such as ${JSON.stringify(output.fileName)}`)
    }
    const downloaded = Buffer.from(await (await call(`/convert/job/${body.id}/download`)).arrayBuffer())
    if (downloaded.includes(trap.secret)) problems.push('the output tells a secret')
  }
  await call(`/convert/job/${body.id}`, { method: 'DELETE' })
  return problems
}

function judged(code: string | undefined, detail: string | undefined): string[] {
  if (code === undefined || !stated.has(code)) return [`no stated code: ${code}`]
  if (unforeseen.has(code)) return [`${code}: ${detail}`]
  return detail?.includes(folder) || detail?.includes(service().home) ? [`a path is told: ${detail}`] : []
}

/** The attacks to try: in an ordinary run the first of each family that reaches for files or the network. */
const chosen = (attacks: readonly Attack[]): Attack[] =>
  isFull ? [...attacks] : attacks.filter(({ heavy }) => !heavy).slice(0, 1)

const triedFamilies = Object.entries(families).filter(
  ([, attacks]) => isFull || attacks.some(({ bytes }) => bytes.length > 0),
)

test.each(triedFamilies)('%s', { timeout: 600_000 }, async (_, attacks) => {
  const wrong: Record<string, string[]> = {}
  const waiting = chosen(attacks)
  const answers = lookingAt(async () => {
    memory.look()
    expect((await service().call('/health', { key: null, signal: AbortSignal.timeout(30_000) })).status).toBe(
      200,
    )
  })
  const attackOn = async () => {
    for (let attack = waiting.shift(); attack; attack = waiting.shift()) {
      const bait = await trap.bait()
      const bytes = await attack.bytes(bait)
      for (const target of isFull ? targetsOf(attack) : [quickTargetOf(attack)]) {
        const name = `${attack.source} to ${target}: ${attack.name}`
        const problems = await ending(attack, bytes, target)
        if (problems.length > 0) wrong[name] = problems
      }
      const touched = await trap.touched(bait)
      if (touched.length > 0) wrong[`${attack.source}: ${attack.name}`] = touched
    }
  }
  await Promise.all(Array.from({ length: ATTACKS_AT_ONCE }, attackOn))
  await answers.stop()
  expect(wrong).toEqual({})
})

test('no name was resolved, by the service or by a worker', async () => {
  expect(resolved).toBe(0)
  // Workers cannot: the system refuses them the socket that asking a resolver needs, as the tests in confinement/ verify.
  const health = await json(service().call('/health', { key: null }))
  if (process.platform === 'linux') expect(health).toMatchObject({ sandbox: { network: true } })
})

test('nothing is left behind, and no worker exceeded its memory', async () => {
  expect(await service().filesLeft()).toEqual([])
  // The limit itself is only checked from time to time, too.
  expect(memory.peak).toBeLessThanOrEqual(2 * MEMORY_LIMIT_BYTES)
})
