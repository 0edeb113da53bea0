/**
 * ICC profiles for pictures that name their colours by code points (ITU-T H.273) instead: wide gamuts such as
 * Display P3, and the curves of HDR cameras, which are brought into the range of an ordinary screen.
 */
import type { CodePoints } from './properties.ts'

type Triple = readonly [number, number, number]

/** Chromaticities x, y of red, green, blue and white by code point (H.273, table 2). */
const PRIMARIES: Record<number, readonly number[]> = {
  1: [0.64, 0.33, 0.3, 0.6, 0.15, 0.06, 0.3127, 0.329],
  5: [0.64, 0.33, 0.29, 0.6, 0.15, 0.06, 0.3127, 0.329],
  6: [0.63, 0.34, 0.31, 0.595, 0.155, 0.07, 0.3127, 0.329],
  7: [0.63, 0.34, 0.31, 0.595, 0.155, 0.07, 0.3127, 0.329],
  9: [0.708, 0.292, 0.17, 0.797, 0.131, 0.046, 0.3127, 0.329],
  11: [0.68, 0.32, 0.265, 0.69, 0.15, 0.06, 0.314, 0.351],
  12: [0.68, 0.32, 0.265, 0.69, 0.15, 0.06, 0.3127, 0.329],
}

const srgb = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)

/** Brightness of diffuse white in nits (ITU-R BT.2408); brighter parts are highlights. */
const WHITE = 203

/** Keeps shadows and midtones, and compresses highlights to below the white of a screen. */
function compress(light: number): number {
  const knee = 0.6
  return light <= knee ? light : knee + (1 - knee) * (1 - Math.exp((knee - light) / (1 - knee)))
}

/** Perceptual quantiser (SMPTE ST 2084). */
function pq(value: number): number {
  const root = value ** (1 / 78.84375)
  const nits =
    10_000 * (Math.max(0, root - 0.8359375) / (18.8515625 - 18.6875 * root)) ** (1 / 0.1593017578125)
  return compress(nits / WHITE)
}

/** Hybrid log-gamma with the system gamma of a 1000-nit screen (ITU-R BT.2100). */
function hlg(value: number): number {
  const [a, b, c] = [0.17883277, 0.28466892, 0.55991073]
  const scene = value <= 0.5 ? value ** 2 / 3 : (Math.exp((value - c) / a) + b) / 12
  return compress((1000 * scene ** 1.2) / WHITE)
}

/** Light by signal, both 0 to 1, by code point (H.273, table 3). Camera curves are shown with sRGB's, as everywhere. */
const TRANSFERS: Record<number, (value: number) => number> = {
  4: value => value ** 2.2,
  5: value => value ** 2.8,
  8: value => value,
  16: pq,
  18: hlg,
}

/** The profile of pictures with these code points; undefined where they are sRGB's, or not known. */
export function profileOf({ primaries, transfer }: CodePoints): Uint8Array | undefined {
  const gamut = PRIMARIES[primaries]
  // The primaries of old television are so close to sRGB's that decoders treat them alike.
  if ((primaries < 9 || !gamut) && !TRANSFERS[transfer]) return undefined
  return matrixProfile(gamut ?? PRIMARIES[1]!, TRANSFERS[transfer] ?? srgb)
}

const s15Fixed16 = (value: number) => Math.round(value * 65_536)

/** An ICC version 2 display profile of three primaries and one curve (ICC.1:2001-04). */
function matrixProfile(gamut: readonly number[], curve: (value: number) => number): Uint8Array {
  const [red, green, blue] = colourants(gamut)
  const xyz = (triple: Triple) => {
    const body = Buffer.alloc(20)
    body.write('XYZ ', 'latin1')
    for (const [index, value] of triple.entries()) body.writeInt32BE(s15Fixed16(value), 8 + 4 * index)
    return body
  }
  const steps = 4096
  const trc = Buffer.alloc(12 + 2 * steps)
  trc.write('curv', 'latin1')
  trc.writeUInt32BE(steps, 8)
  for (let step = 0; step < steps; step++) {
    const light = Math.min(1, Math.max(0, curve(step / (steps - 1))))
    trc.writeUInt16BE(Math.round(light * 65_535), 12 + 2 * step)
  }
  const name = 'Picture\0'
  const desc = Buffer.alloc(12 + name.length + 78)
  desc.write('desc', 'latin1')
  desc.writeUInt32BE(name.length, 8)
  desc.write(name, 12, 'latin1')
  const tags: [string, Buffer][] = [
    ['desc', desc],
    ['cprt', Buffer.from('text\0\0\0\0No rights reserved\0', 'latin1')],
    ['wtpt', xyz(D50)],
    ['rXYZ', xyz(red)],
    ['gXYZ', xyz(green)],
    ['bXYZ', xyz(blue)],
    ['rTRC', trc],
    ['gTRC', trc],
    ['bTRC', trc],
  ]
  return assemble(tags)
}

function assemble(tags: readonly [string, Buffer][]): Uint8Array {
  const header = Buffer.alloc(128 + 4 + 12 * tags.length)
  const bodies: Buffer[] = []
  const places = new Map<Buffer, number>()
  let end = header.length
  header.writeUInt32BE(tags.length, 128)
  tags.forEach(([tag, body], index) => {
    let place = places.get(body)
    if (place === undefined) {
      place = end
      places.set(body, place)
      bodies.push(body, Buffer.alloc(-body.length & 3))
      end += body.length + (-body.length & 3)
    }
    const at = 132 + 12 * index
    header.write(tag, at, 'latin1')
    header.writeUInt32BE(place, at + 4)
    header.writeUInt32BE(body.length, at + 8)
  })
  header.writeUInt32BE(end, 0)
  header.writeUInt32BE(0x02400000, 8)
  header.write('mntrRGB XYZ ', 12, 'latin1')
  header.write('acsp', 36, 'latin1')
  for (const [index, value] of D50.entries()) header.writeInt32BE(s15Fixed16(value), 68 + 4 * index)
  return Buffer.concat([header, ...bodies])
}

const D50: Triple = [0.9642, 1, 0.8249]

/** Bradford's cone responses, in which white points are adapted to each other. */
const BRADFORD: readonly Triple[] = [
  [0.8951, 0.2664, -0.1614],
  [-0.7502, 1.7135, 0.0367],
  [0.0389, -0.0685, 1.0296],
]

/** XYZ of the three primaries at full signal, adapted to the D50 white that ICC profiles count from. */
function colourants(gamut: readonly number[]): [Triple, Triple, Triple] {
  const [red, green, blue, white] = [0, 2, 4, 6].map(at => {
    const [x, y] = [gamut[at]!, gamut[at + 1]!]
    return [x / y, 1, (1 - x - y) / y] as Triple
  }) as [Triple, Triple, Triple, Triple]
  const amounts = solve([red, green, blue], white)
  const from = apply(BRADFORD, white)
  const to = apply(BRADFORD, D50)
  const columns = [0, 1, 2].map(row => BRADFORD.map(line => line[row]!) as unknown as Triple)
  const adapt = (triple: Triple, amount: number): Triple => {
    const cones = apply(BRADFORD, triple).map((cone, i) => (cone * amount * to[i]!) / from[i]!)
    // Columns of the matrix, because the cones are solved for the colour that causes them.
    return solve(columns as [Triple, Triple, Triple], cones as unknown as Triple)
  }
  return [adapt(red, amounts[0]), adapt(green, amounts[1]), adapt(blue, amounts[2])]
}

const apply = (matrix: readonly Triple[], [x, y, z]: Triple): Triple =>
  matrix.map(([a, b, c]) => a * x + b * y + c * z) as unknown as Triple

/** Amounts of the three columns that add up to `sum` (Cramer's rule). */
function solve([a, b, c]: readonly [Triple, Triple, Triple], sum: Triple): Triple {
  const det = (p: Triple, q: Triple, r: Triple) =>
    p[0] * (q[1] * r[2] - q[2] * r[1]) -
    q[0] * (p[1] * r[2] - p[2] * r[1]) +
    r[0] * (p[1] * q[2] - p[2] * q[1])
  const whole = det(a, b, c)
  return [det(sum, b, c) / whole, det(a, sum, c) / whole, det(a, b, sum) / whole]
}
