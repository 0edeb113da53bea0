/**
 * A disk that is full at some write, whichever it is, and accepts writes again later: nothing is lost except what was
 * refused. `REFILE_FULL_POINTS` sets how many points are tried, `REFILE_FULL_SEED` which.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { randomFrom } from '../fixtures/random.ts'
import { onBoundary } from './boundaries.ts'
import { wrongs } from './invariants.ts'
import { live, settle } from './life.ts'
import { newPlace } from './place.ts'

const POINTS = Number(process.env.REFILE_FULL_POINTS || 24)
const SEED = Number(process.env.REFILE_FULL_SEED || 1)
/** Approximate number of boundaries in a life. */
const BOUNDARIES = 480
/** Largest number of consecutive writes that are refused. */
const MAX_REFUSED = 12

/** These need no room. */
const FREE = /^(after|rm|unlink|chmod|ROLLBACK|PRAGMA|BEGIN)/

/** The errors that the system and SQLite report for a full disk. */
const diskFull = (name: string) =>
  /^[A-Z]/.test(name)
    ? Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 })
    : Object.assign(new Error(`ENOSPC: no space left on device, ${name}`), {
        code: 'ENOSPC',
        syscall: 'write',
      })

test(`a disk that is full at ${POINTS} points loses no job, no credit and no file`, async () => {
  const random = randomFrom(SEED)
  let listen: (name: string) => void = () => {}
  onBoundary(({ name }) => listen(name))
  const wrong: unknown[] = []
  for (let point = 0; point < POINTS; point++) {
    await using place = await newPlace()
    const first = Math.floor(((point + random()) / POINTS) * BOUNDARIES)
    const refused: string[] = []
    const most = 1 + Math.floor(random() * MAX_REFUSED)
    let boundary = 0
    listen = name => {
      if (FREE.test(name) || ++boundary < first || refused.length >= most) return
      refused.push(name)
      throw diskFull(name)
    }
    const found: string[] = []
    try {
      // A start that fails for lack of space leaves nothing that would hinder the next one.
      for (;;) {
        try {
          await live(place, 'instant', step => step().catch(() => undefined))
          break
        } catch (error) {
          if (refused.length < most) await delay(1)
          else if (!String(error).includes('full') && !String(error).includes('ENOSPC')) throw error
        }
      }
      listen = () => {}
      await settle(place)
      found.push(...wrongs(place, { kills: 1, diskFull: true }))
    } catch (error) {
      found.push(`the next start: ${error instanceof Error ? error.stack : error}`)
    }
    if (found.length > 0) wrong.push({ first, refused, found })
  }
  expect({ seed: SEED, wrong }).toEqual({ seed: SEED, wrong: [] })
}, 600_000)
