/**
 * How many bytes a picture takes at the same structural similarity, and the processor time for it, beside the program that is known for
 * each format. Needs Debian's imagemagick, libavif-bin, libjpeg-turbo-progs, optipng and webp. Linux only.
 */
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { median, report, rounds } from './harness.ts'
import { photograph } from './pictures.ts'
import { run, similarity } from './programs.ts'
import { startWarmWorker } from './warm-worker.ts'

const ROUNDS = rounds(3)
const BYTES_GOAL = 1
const TIME_GOAL = 1
/** Steps of an encoder's own scale of quality. */
const SCALE = 100

interface Rival {
  target: string
  /** A format that both read. */
  source: 'png' | 'bmp'
  name: string
  /** A command line that writes `out` at a quality from 1 to 100, better the higher. */
  command: (quality: number) => string
  /** Why ours may be larger. */
  cause: string
}

const rivals: readonly Rival[] = [
  {
    target: 'webp',
    source: 'png',
    name: 'cwebp -m 4',
    command: quality => `cwebp -quiet -m 4 -q ${quality} in.png -o out`,
    cause: 'effort 2 takes half the time; effort 3 has the same bytes (docs/pictures.md)',
  },
  {
    target: 'jpg',
    source: 'bmp',
    name: 'cjpeg -optimize -progressive',
    command: quality => `cjpeg -quality ${quality} -optimize -progressive in.bmp > out`,
    cause: 'colours in full resolution, which cost bytes and time and which this similarity hardly counts',
  },
  {
    target: 'avif',
    source: 'png',
    name: 'avifenc -s 6',
    command: quality =>
      `avifenc -s 6 -j all -y 420 --min 0 --max 63 -a end-usage=q -a cq-level=${Math.round(63 * (1 - quality / SCALE))} in.png out.avif && mv out.avif out`,
    cause: 'within the steps of the quality',
  },
]

const folder = await mkdtemp(join(tmpdir(), 'refile-bench-bytes-'))
const at = (name: string) => join(folder, name)

/** The lowest quality at which a rival is at least as similar to the original, and its bytes and time there. */
async function atSimilarity({ command }: Rival, wanted: number) {
  let [low, high] = [1, SCALE]
  while (low < high) {
    const middle = (low + high) >> 1
    if (!run(folder, command(middle))) return undefined
    if ((await similarity(folder, at('in.png'), at('out'))) >= wanted) high = middle
    else low = middle + 1
  }
  const seconds = median(Array.from({ length: ROUNDS }, () => run(folder, command(low))?.cpu ?? Number.NaN))
  return { seconds, bytes: (await stat(at('out'))).size }
}

function compare(
  what: string,
  other: string,
  own: number,
  theirs: number,
  goal: number,
  cause?: string,
): void {
  const ratio = own / theirs
  report(`${what} / ${other}`, ratio.toFixed(2), `≤ ${goal.toFixed(2)}`, ratio < goal + 0.005, cause)
}

async function convert(source: string, target: string, options: Record<string, unknown>) {
  const worker = startWarmWorker()
  const order = { job: `image.${source}-to-${target}`, path: at(`in.${source}`), folder, options }
  await worker.convert(order)
  const done = []
  for (let round = 0; round < ROUNDS; round++) done.push(await worker.convert(order))
  worker.stop()
  const path = done[0]?.path ?? ''
  return { path, bytes: (await stat(path)).size, seconds: median(done.map(({ cpu }) => cpu)) }
}

await sharp(await photograph(2000, 1500))
  .png({ compressionLevel: 3 })
  .toFile(at('in.png'))
if (!run(folder, 'convert in.png bmp3:in.bmp')) throw new Error('Install imagemagick.')
for (const rival of rivals) {
  const own = await convert(rival.source, rival.target, {})
  const theirs = await atSimilarity(rival, await similarity(folder, at('in.png'), own.path))
  if (!theirs) {
    console.log(`   --   ${rival.name} is not installed or fails`)
    continue
  }
  const { target, name, cause } = rival
  compare(`${target}: bytes at the same SSIM`, name, own.bytes, theirs.bytes, BYTES_GOAL, cause)
  compare(`${target}: processor time of it`, name, own.seconds, theirs.seconds, TIME_GOAL, cause)
}

// A drawing of few colours, which no encoder may change.
const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="800"><rect width="1200" height="800" fill="#fff"/>${Array.from({ length: 60 }, (_, nth) => `<circle cx="${(nth * 97) % 1200}" cy="${(nth * 61) % 800}" r="${20 + nth}" fill="hsl(${(nth % 9) * 40} 60% 50%)"/>`).join('')}</svg>`
await writeFile(at('in.png'), await sharp(Buffer.from(drawing)).png({ compressionLevel: 3 }).toBuffer())
const smart = await convert('png', 'png', { smartCompression: { enabled: true, mode: 'lossless' } })
const optipng = 'optipng -quiet -o2 in.png -out out -clobber'
const cost = run(folder, optipng)
if (cost) {
  compare(
    'png of a drawing, smart and lossless: bytes',
    'optipng -o2',
    smart.bytes,
    (await stat(at('out'))).size,
    BYTES_GOAL,
  )
  compare('png of a drawing: processor time of it', 'optipng -o2', smart.seconds, cost.cpu, TIME_GOAL)
}
await rm(folder, { recursive: true })
