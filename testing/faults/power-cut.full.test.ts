/**
 * A power cut at any moment of a life: what was answered remains true, the database opens intact, outputs are complete or
 * absent. `REFILE_POWER_CUTS` sets how many moments are tried, `REFILE_POWER_SEED` which.
 */
import { rename, rm } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { randomFrom } from '../fixtures/random.ts'
import { onBoundary } from './boundaries.ts'
import { wrongs } from './invariants.ts'
import { live, settle } from './life.ts'
import { newPlace } from './place.ts'
import { Disk } from './power.ts'

const CUTS = Number(process.env.REFILE_POWER_CUTS || 30)
const SEED = Number(process.env.REFILE_POWER_SEED || 1)
/** Approximate number of boundaries in a life. */
const BOUNDARIES = 480

test(`power cuts at ${CUTS} moments lose no accepted job and no credit`, async () => {
  const random = randomFrom(SEED)
  const disk = new Disk(random)
  let listen: (name: string) => void = () => {}
  onBoundary(({ name }) => listen(name))
  const wrong: unknown[] = []
  // Several cuts of one life; each gives a separate image.
  for (let cut = 0; cut < CUTS; ) {
    await using place = await newPlace()
    const images: { image: Awaited<ReturnType<typeof newPlace>>; at: string }[] = []
    const number = Math.min(10, CUTS - cut)
    const spare = await Promise.all(Array.from({ length: number }, () => newPlace()))
    const points = new Set(spare.map(() => 1 + Math.floor(random() * BOUNDARIES)))
    let boundary = 0
    listen = name => {
      if (!points.has(++boundary)) return
      const image = spare[images.length]!
      disk.cutPower(place, image)
      images.push({ image, at: `${boundary}: ${name}` })
    }
    await live(place)
    listen = () => {}
    for (const { image, at } of images) {
      // Stored data contain paths, so each image replaces the original folder.
      await rm(place.folder, { recursive: true })
      await rename(image.folder, place.folder)
      const found: string[] = []
      try {
        await settle(place)
        // Only another process removes what this one has begun; kill-points.full.test.ts has several.
        found.push(...wrongs(place, { kills: 1 }).filter(each => !each.includes(`-${process.pid}-`)))
      } catch (error) {
        found.push(`the next start: ${error instanceof Error ? error.stack : error}`)
      }
      if (found.length > 0) wrong.push({ at, found })
    }
    for (const image of spare) await image[Symbol.asyncDispose]()
    cut += number
  }
  expect({ seed: SEED, wrong }).toEqual({ seed: SEED, wrong: [] })
}, 600_000)
