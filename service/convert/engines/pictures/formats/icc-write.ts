/** Writes ICC profiles for colours that files specify by numbers: primaries, white and a tone curve. */

type Triple = readonly [number, number, number]

/** Maps signal to light, both 0 to 1. */
export type ToneCurve = (signal: number) => number

/** Chromaticities x, y of red, green, blue and white. */
export type Gamut = readonly number[]

const s15Fixed16 = (value: number) => Math.round(value * 65_536)

/** A display profile with three primaries and one curve (ICC.1:2001-04). */
export function matrixProfile(gamut: Gamut, curve: ToneCurve): Uint8Array {
  const [red, green, blue] = colourants(gamut)
  const trc = sampled(curve)
  return assemble('RGB ', [
    ['rXYZ', xyz(red)],
    ['gXYZ', xyz(green)],
    ['bXYZ', xyz(blue)],
    ['rTRC', trc],
    ['gTRC', trc],
    ['bTRC', trc],
  ])
}

/** A grey profile with this curve (ICC.1:2001-04). */
export const greyProfile = (curve: ToneCurve): Uint8Array => assemble('GRAY', [['kTRC', sampled(curve)]])

/** Number of points at which a curve is sampled. */
const STEPS = 4096

function sampled(curve: ToneCurve): Buffer {
  const tag = Buffer.alloc(12 + 2 * STEPS)
  tag.write('curv', 'latin1')
  tag.writeUInt32BE(STEPS, 8)
  for (let step = 0; step < STEPS; step++) {
    const light = Math.min(1, Math.max(0, curve(step / (STEPS - 1))))
    tag.writeUInt16BE(Math.round(light * 65_535), 12 + 2 * step)
  }
  return tag
}

function xyz(triple: Triple): Buffer {
  const tag = Buffer.alloc(20)
  tag.write('XYZ ', 'latin1')
  for (const [index, value] of triple.entries()) tag.writeInt32BE(s15Fixed16(value), 8 + 4 * index)
  return tag
}

function description(name: string): Buffer {
  const text = `${name}\0`
  const tag = Buffer.alloc(12 + text.length + 78)
  tag.write('desc', 'latin1')
  tag.writeUInt32BE(text.length, 8)
  tag.write(text, 12, 'latin1')
  return tag
}

/** A profile with these tags and those that every profile has. */
function assemble(space: 'RGB ' | 'GRAY', own: readonly [string, Buffer][]): Uint8Array {
  const tags: [string, Buffer][] = [
    ['desc', description('Picture')],
    ['cprt', Buffer.from('text\0\0\0\0No rights reserved\0', 'latin1')],
    ['wtpt', xyz(D50)],
    ...own,
  ]
  const header = Buffer.alloc(128 + 4 + 12 * tags.length)
  const bodies: Buffer[] = []
  let end = header.length
  header.writeUInt32BE(tags.length, 128)
  tags.forEach(([tag, body], index) => {
    const at = 132 + 12 * index
    header.write(tag, at, 'latin1')
    header.writeUInt32BE(end, at + 4)
    header.writeUInt32BE(body.length, at + 8)
    bodies.push(body, Buffer.alloc(-body.length & 3))
    end += body.length + (-body.length & 3)
  })
  header.writeUInt32BE(end, 0)
  header.writeUInt32BE(0x02400000, 8)
  header.write(`mntr${space}XYZ `, 12, 'latin1')
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

/** XYZ of the three primaries at full signal, adapted to the D50 white of ICC profiles. */
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
