import { expect, test } from 'vitest'
import { readLottie } from './document.ts'
import { openPlayer } from './player.ts'

const still = (k: unknown) => ({ a: 0, k })
const moving = (...keyframes: [t: number, s: number][]) => ({
  a: 1,
  k: keyframes.map(([t, s]) => ({ t, s: [s], i: { x: [1], y: [1] }, o: { x: [0], y: [0] } })),
})

/** Ten seconds of a red star in the middle of 200 × 200 pixels, with some of its properties replaced. */
function animation(properties: object, wrap = (layer: object): object => ({ layers: [layer] })) {
  const star = {
    ...{ ty: 'sr', sy: 1, d: 1, pt: still(5), p: still([0, 0]), r: still(0) },
    ...{ ir: still(40), is: still(0), or: still(90), os: still(0), ...properties },
  }
  const rest = { a: still([0, 0]), s: still([100, 100]), r: still(0), o: still(100) }
  const shapes = [
    {
      ty: 'gr',
      it: [
        star,
        { ty: 'fl', c: still([1, 0, 0, 1]), o: still(100) },
        { ty: 'tr', p: still([0, 0]), ...rest },
      ],
    },
  ]
  const layer = { ty: 4, ip: 0, op: 300, st: 0, ks: { ...rest, p: still([100, 100]) }, shapes }
  return Buffer.from(JSON.stringify({ v: '5.7.0', fr: 30, ip: 0, op: 300, w: 200, h: 200, ...wrap(layer) }))
}

/** Largest filled distance from a centre, in each of 72 directions. */
function radii(file: Buffer, position: number, [cx, cy] = [100, 100]): number[] {
  const [document] = readLottie(file)
  const frame = openPlayer(document!, 200, 200).frame(position)
  return Array.from({ length: 72 }, (_, direction) => {
    const angle = (direction * 5 * Math.PI) / 180
    let filled = 0
    for (let distance = 1; distance < 99; distance += 0.5) {
      const [x, y] = [
        Math.floor(cx! + distance * Math.cos(angle)),
        Math.floor(cy! + distance * Math.sin(angle)),
      ]
      if (x >= 0 && y >= 0 && x < 200 && y < 200 && frame[(y * 200 + x) * 4 + 3]! > 127) filled = distance
    }
    return filled
  })
}

/** Roundness in percent at which the corners form a circle: handles of 4/3 tan(angle / 4) of its radius. */
const circle = (corners: number, handleShare: number) =>
  ((4 / 3) * Math.tan(Math.PI / (2 * corners)) * 100) / handleShare
const polygonRound = circle(5, (2 * Math.PI) / 20)
const starRound = circle(10, (2 * Math.PI) / 20)

const isCircle = (measured: number[], radius: number) => {
  for (const value of measured) expect(Math.abs(value - radius)).toBeLessThan(1.5)
}

test('a polygon of the right roundness is a circle', () => {
  isCircle(radii(animation({ sy: 2, os: still(polygonRound) }), 0), 90)
  expect(Math.min(...radii(animation({ sy: 2 }), 0))).toBeLessThan(75)
})

test('so is a star whose corners have equal radii, drawn in either direction', () => {
  const round = { ir: still(90), os: still(starRound), is: still(starRound) }
  isCircle(radii(animation(round), 0), 90)
  isCircle(radii(animation({ ...round, d: 3 }), 0), 90)
})

test('inner and outer corners have their own roundness', () => {
  const [sharp, outer, inner] = [{}, { os: still(100) }, { is: still(100) }].map(properties =>
    radii(animation(properties), 0),
  )
  // Ten degrees beside the tip that points down and right, and straight into a notch.
  expect(outer![20 / 5]).toBeGreaterThan(sharp![20 / 5]! - 1)
  expect(outer!.reduce((a, b) => a + b)).toBeGreaterThan(sharp!.reduce((a, b) => a + b) * 1.1)
  expect(inner!.reduce((a, b) => a + b)).not.toBeCloseTo(
    sharp!.reduce((a, b) => a + b),
    -1,
  )
})

test('roundness, radius, position and rotation are animated', () => {
  const file = animation({
    sy: 2,
    os: moving([0, 0], [200, 2 * polygonRound]),
    or: moving([0, 60], [200, 80]),
    p: {
      a: 1,
      k: [
        { t: 0, s: [0, 0], i: { x: 1, y: 1 }, o: { x: 0, y: 0 } },
        { t: 200, s: [40, 0] },
      ],
    },
    r: moving([0, 0], [200, 90]),
  })
  isCircle(radii(file, 100, [120, 100]), 70)
  expect(Math.min(...radii(file, 0))).toBeLessThan(50)
})

test('a star that gains corners, and one in a composition, are round too', () => {
  const growing = animation({ sy: 2, os: still(polygonRound), pt: moving([0, 5], [100, 9]) })
  isCircle(radii(growing, 0), 90)
  const nested = animation({ sy: 2, os: still(polygonRound) }, layer => ({
    assets: [{ id: 'c', layers: [layer] }],
    layers: [
      {
        ty: 0,
        refId: 'c',
        w: 200,
        h: 200,
        ip: 0,
        op: 300,
        st: 0,
        ks: { p: still([100, 100]), a: still([100, 100]), s: still([100, 100]), r: still(0), o: still(100) },
      },
    ],
  }))
  isCircle(radii(nested, 0), 90)
})

test('stars made to exhaust memory are left unchanged', () => {
  const bomb = animation({ pt: still(1e9), os: moving([0, 0], [900_000, 100]) })
  expect(readLottie(bomb)[0]!.json.length).toBeLessThan(2000)
})
