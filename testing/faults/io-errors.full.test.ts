/**
 * A disk that fails at some read, write or sync of the database, whichever it is: the service goes on or stops, and the next start has
 * everything that was answered. `REFILE_EIO_POINTS` sets how many points are tried; all if it is not set.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { wrongs } from './invariants.ts'
import { settle } from './life.ts'
import { newPlace, type Place } from './place.ts'

const run = promisify(execFile)
/** How many calls fail in a row: one, as a bad sector does, or several, as a loose cable does. */
const FAILING = [1, 6]
const LIFE_TIMEOUT_MS = 90_000
const canTry = process.platform === 'linux' && existsSync('/usr/bin/cc')

async function preloaded(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'refile-eio-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const library = join(folder, 'io-errors.so')
  await run('cc', ['-shared', '-fPIC', '-o', library, join(import.meta.dirname, 'io-errors.c'), '-ldl'])
  return library
}

/** Runs a life in a process whose database calls fail from one on. @returns how many calls there were, and what it said */
async function lifeOf(place: Place, library: string, from: number, count: number) {
  const script = join(import.meta.dirname, 'failing-life.ts')
  const env = {
    ...process.env,
    LD_PRELOAD: library,
    REFILE_EIO_FROM: `${from}`,
    REFILE_EIO_COUNT: `${count}`,
  }
  const flags = ['--disable-warning=ExperimentalWarning']
  // It may end with an error: stopping is right as well.
  const { stderr, killed } = await run(process.execPath, [...flags, script, place.folder], {
    env,
    timeout: LIFE_TIMEOUT_MS,
    killSignal: 'SIGKILL',
  }).catch(error => error)
  const isEndless = killed || stderr.includes('something goes on for ever')
  return { calls: Number(/database calls: (\d+)/.exec(stderr)?.[1]), stderr, isEndless }
}

test.runIf(canTry)(
  'a disk that fails at any point loses nothing that was answered',
  { timeout: 3600_000 },
  async () => {
    const library = await preloaded()
    await using whole = await newPlace()
    const { calls } = await lifeOf(whole, library, 0, 0)
    expect(calls).toBeGreaterThan(100)
    expect(wrongs(whole)).toEqual([])

    const points = Number(process.env.REFILE_EIO_POINTS || calls)
    const wrong: unknown[] = []
    let next = 0
    const work = async () => {
      while (next < points && wrong.length < 5) {
        const number = next++
        const from = 1 + Math.floor((number * calls) / points)
        const count = FAILING[(number >> 1) % FAILING.length]!
        await using place = await newPlace()
        // Every other disk fails in a second life, which has something to lose, half of them at its start.
        const isSecond = number % 2 === 1
        if (isSecond) await lifeOf(place, library, 0, 0)
        const at = isSecond && number % 4 === 1 ? 1 + (number >> 2) : from
        const { stderr, isEndless } = await lifeOf(place, library, at, count)
        const found: string[] = isEndless ? ['it neither went on nor stopped'] : []
        try {
          await settle(place)
          found.push(...wrongs(place, { kills: 2, diskFull: true }))
        } catch (error) {
          found.push(`the next start: ${error instanceof Error ? error.stack : error}`)
        }
        if (found.length > 0) wrong.push({ at, isSecond, count, found, stderr })
      }
    }
    await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, work))
    expect(wrong).toEqual([])
  },
)
