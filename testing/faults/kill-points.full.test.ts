/**
 * A service that is killed at any point of any job's life loses nothing. `REFILE_KILL_POINTS` sets how many points are tried,
 * `REFILE_KILL_SEED` which ones; a failure reports the seed, the point and what the service was doing.
 */
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { randomFrom } from '../fixtures/random.ts'
import { isAlive } from '../servers/is-alive.ts'
import { wrongs } from './invariants.ts'
import { readJournal } from './journal.ts'
import { settle } from './life.ts'
import { newPlace, type Place } from './place.ts'

const POINTS = Number(process.env.REFILE_KILL_POINTS || 200)
const SEED = Number(process.env.REFILE_KILL_SEED || 1)
/** One life in this many has workers that are processes. */
const REAL_WORKERS_EVERY = 10
/** Approximate share of the boundaries in a life that has nothing to recover; later ones may not be reached. */
const RECOVERY_SHARE = 0.5

/** Runs a life in its own process until it is killed at a boundary; 0 lets it end. Resolves with how it ended. */
function lifeOf(place: Place, point: number, workers: 'instant' | 'real'): Promise<string> {
  const script = join(import.meta.dirname, 'killed-life.ts')
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', script, place.folder, String(point), workers],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let said = ''
  child.stderr.on('data', chunk => {
    said += chunk
  })
  return new Promise(resolve => child.once('close', (code, signal) => resolve(signal ?? `${code}: ${said}`)))
}

const boundariesOf = (place: Place) =>
  readJournal(place.journal).reduce((most, entry) => (entry.kind === 'ended' ? entry.boundaries : most), 0)

/** Kills one or two lives of a service and lets the next one finish; returns what is wrong then. */
async function tryPoints(points: number[], workers: 'instant' | 'real'): Promise<unknown> {
  await using place = await newPlace()
  const ended: string[] = []
  for (const point of points) ended.push(await lifeOf(place, point, workers))
  const failed = ended.filter(end => end !== 'SIGKILL' && !end.startsWith('0:'))
  const kills = ended.filter(end => end === 'SIGKILL').length
  const at = () => readJournal(place.journal).flatMap(entry => (entry.kind === 'killed' ? entry.at : []))
  const found = [...failed]
  try {
    await settle(place)
    found.push(...wrongs(place, { kills }))
  } catch (error) {
    found.push(`the next start: ${error instanceof Error ? error.stack : error}`)
  }
  const pids = readJournal(place.journal).flatMap(entry => (entry.kind === 'process' ? entry.pid : []))
  await expect.poll(() => pids.filter(isAlive)).toEqual([])
  return { kills, wrong: found.length > 0 ? { points, workers, at: at(), found } : undefined }
}

test(`killed at ${POINTS} points, it loses no job, no credit and no file`, async () => {
  await using place = await newPlace()
  expect(await lifeOf(place, 0, 'instant')).toBe('0: ')
  expect(wrongs(place)).toEqual([])
  const boundaries = boundariesOf(place)
  expect(boundaries).toBeGreaterThan(300)

  const random = randomFrom(SEED)
  let round = 0
  let kills = 0
  const wrong: unknown[] = []
  const work = async () => {
    while (kills < POINTS && wrong.length < 5) {
      const number = round++
      // Spread over the whole life, at random within each part.
      const first = 1 + (Math.floor((((number * 0.618) % 1) + random() / POINTS) * boundaries) % boundaries)
      const second = 1 + Math.floor(random() * boundaries * RECOVERY_SHARE)
      const workers = number % REAL_WORKERS_EVERY === 0 ? 'real' : 'instant'
      const tried = (await tryPoints(number % 4 === 0 ? [first] : [first, second], workers)) as {
        kills: number
        wrong?: unknown
      }
      kills += tried.kills
      if (tried.wrong) wrong.push(tried.wrong)
    }
  }
  await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, work))
  expect({ seed: SEED, wrong }).toEqual({ seed: SEED, wrong: [] })
  expect(kills).toBeGreaterThanOrEqual(POINTS)
}, 1_800_000)
