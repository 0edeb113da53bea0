/**
 * The cost of image conversions, compared at an equal result with the programs a person would use instead. Linux only.
 *
 * Needs these Debian packages: ffmpeg, imagemagick, libavif-bin, libheif-examples, libjpeg-turbo-progs, libraw-bin,
 * libvips-tools, webp. Missing programs are left out.
 */
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { heicOf } from '../testing/samples/heif.ts'
import { makeCr2 } from '../testing/samples/raw.ts'
import { type Cost, median, report, rounds } from './harness.ts'
import { photograph } from './pictures.ts'
import { run, similarity } from './programs.ts'
import { type Converted, startWarmWorker } from './warm-worker.ts'

const ROUNDS = rounds(5)
/** How far a result may differ from the other program's, in structural similarity and in size. */
const SIMILARITY = 0.005
const LARGER = 1.1
const PEAK_MEGABYTES = 700

const folder = await mkdtemp(join(tmpdir(), 'refile-bench-images-'))
const at = (name: string) => join(folder, name)

interface Contest {
  job: string
  /** Distinguishes this contest from others of the same job. */
  note?: string
  /** The file in the folder to convert, and the lossless picture it is compared with. */
  source: string
  original: string
  options?: Record<string, unknown>
  /** Other programs by name: their command lines, or functions from a quantizer to a command line; each writes to `output`. */
  others: Record<string, string | ((quantizer: number) => string)>
  output: string
  /** The highest accepted ratio of our time to that of the fastest other program whose result is no better than ours. */
  goal: number
  /** Why it may be missed. */
  cause?: string
}

/** The range of AV1 quantizers to try, finest first. */
const QUANTIZERS = { finest: 8, coarsest: 48 }

/** The command line whose file is closest to `size` bytes, since programs use different quality scales. */
async function atSize(size: number, command: (quantizer: number) => string, output: string): Promise<string> {
  let { finest, coarsest } = QUANTIZERS
  while (finest < coarsest) {
    const middle = (finest + coarsest) >> 1
    if (!run(folder, command(middle))) return command(middle)
    if ((await stat(at(output))).size > size) finest = middle + 1
    else coarsest = middle
  }
  return command(finest)
}

/** Alternates the converters, so that other load on the machine affects all, and compares ours with the best of the others. */
async function contest({
  job,
  note = '',
  source,
  original,
  options = {},
  others,
  output,
  goal,
  cause,
}: Contest) {
  const order = { job, path: at(source), folder: await mkdtemp(at('out-')), options }
  const worker = startWarmWorker()
  try {
    const { path: first } = await worker.convert(order)
    const { size } = await stat(first)
    const commands = await Promise.all(
      Object.entries(others).map(
        async ([name, command]): Promise<[string, string]> => [
          name,
          typeof command === 'string' ? command : await atSize(size, command, output),
        ],
      ),
    )
    const ours: Converted[] = []
    const theirs = new Map<string, Cost[]>()
    const results = new Map<string, { size: number; ssim: number }>()
    for (let round = 0; round < ROUNDS; round++) {
      ours.push(await worker.convert(order))
      for (const [name, command] of commands) {
        const cost = run(folder, command)
        if (!cost) {
          if (round === 0) console.log(`   --   ${job}: ${name} is not installed or fails`)
          continue
        }
        theirs.set(name, [...(theirs.get(name) ?? []), cost])
        if (!results.has(name))
          results.set(name, {
            size: (await stat(at(output))).size,
            ssim: await similarity(folder, at(original), at(output)),
          })
      }
    }
    const path = ours[0]?.path ?? ''
    const own = { size: (await stat(path)).size, ssim: await similarity(folder, at(original), path) }
    const subject = job.replace('image.', '').replace('-to-', ' → ') + note
    const ratio = (costs: Cost[], of: keyof Cost) =>
      median(costs.map((cost, round) => (ours[round]?.[of] ?? Number.NaN) / cost[of]))
    const equal = [...theirs].filter(([name]) => {
      const result = results.get(name)
      return result && own.ssim >= result.ssim - SIMILARITY && own.size <= result.size * LARGER
    })
    for (const [name, costs] of theirs) {
      const { size = 0, ssim = 0 } = results.get(name) ?? {}
      const figures = `ssim ${own.ssim.toFixed(4)} / ${ssim.toFixed(4)}, size ${(own.size / size).toFixed(2)}×`
      const times = `wall ${ratio(costs, 'wall').toFixed(2)}, CPU ${ratio(costs, 'cpu').toFixed(2)}`
      console.log(`   ·   ${subject} / ${name}: ${times}, ${figures}`)
    }
    const hardest = equal.toSorted(([, a], [, b]) => ratio(b, 'wall') - ratio(a, 'wall'))[0]
    if (hardest) {
      const [name, costs] = hardest
      for (const [of, label] of [
        ['wall', 'wall'],
        ['cpu', 'processor'],
      ] as const) {
        const worst = ratio(costs, of)
        const seconds = median(ours.map(cost => cost[of])).toFixed(2)
        const what = `${subject}, ${label} (${seconds} s) / ${name}`
        report(what, worst.toFixed(2), `≤ ${goal.toFixed(2)}`, worst <= goal, cause)
      }
    } else {
      report(`${subject}: others whose result ours equals`, 'none', '≥ 1', false)
    }
  } finally {
    worker.stop()
  }
}

/** Peak memory of a worker for a picture, in a process that is already warmed up with it. */
async function memory(
  job: string,
  source: string,
  options: Record<string, unknown> = {},
  note = '',
): Promise<void> {
  const worker = startWarmWorker()
  const order = { job, path: at(source), folder: await mkdtemp(at('out-')), options }
  const { peak } = await worker.convert(order)
  const again = await worker.convert(order)
  worker.stop()
  const most = Math.max(peak, again.peak)
  const subject = `24 MP ${job.replace('image.', '').replace('-to-', ' → ')}${note}: peak of the worker`
  report(subject, `${most.toFixed(0)} MB`, `< ${PEAK_MEGABYTES} MB`, most < PEAK_MEGABYTES)
}

/** An animation of shapes that drift across each other, for GIF. */
function animate(path: string): void {
  const waves =
    "nullsrc=s=640x480:r=20:d=3,geq=r='128+100*sin((X+4*N)/40)':g='128+100*sin((Y-3*N)/30)':b='(X+Y+5*N)/5'"
  const palette = 'split[a][b];[a]palettegen[p];[b][p]paletteuse'
  spawnSync('ffmpeg', ['-nostdin', '-v', 'error', '-y', '-f', 'lavfi', '-i', waves, '-vf', palette, path])
}

/** A photograph in four formats. */
async function make(name: string, width: number, height: number): Promise<void> {
  const jpeg = await photograph(width, height)
  await writeFile(at(`${name}.jpg`), jpeg)
  await sharp(jpeg)
    .png({ compressionLevel: 3, adaptiveFiltering: true })
    .toFile(at(`${name}.png`))
  const { data } = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true })
  // Phones store their photographs as tiles of this size.
  await writeFile(at(`${name}.heic`), heicOf({ width, height, data }, { tile: 512, x265: 'crf=15' }))
  const preview = await sharp(jpeg).resize(160).jpeg().toBuffer()
  await writeFile(at(`${name}.cr2`), makeCr2({ width, height, data }, { preview }))
}

try {
  await make('small', 4000, 3000)
  animate(at('waves.gif'))

  for (const source of ['small.jpg', 'small.png']) {
    const kind = source.split('.')[1]
    await contest({
      job: `image.${kind}-to-webp`,
      source,
      original: source,
      others: {
        cwebp: `cwebp -quiet -q 82 ${source} -o x.webp`,
        ImageMagick: `convert ${source} -auto-orient -quality 82 x.webp`,
        vips: `vips webpsave ${source} x.webp --Q 82`,
      },
      output: 'x.webp',
      goal: 1,
    })
    // All of these use libwebp: at the same effort, the difference is the cost of reading the picture and of the pipeline.
    await contest({
      job: `image.${kind}-to-webp`,
      note: ', same effort',
      source,
      original: source,
      others: {
        cwebp: `cwebp -quiet -q 82 -m 2 ${source} -o x.webp`,
        vips: `vips webpsave ${source} x.webp --Q 82 --effort 2`,
      },
      output: 'x.webp',
      goal: 1,
    })
  }
  await contest({
    job: 'image.png-to-jpg',
    source: 'small.png',
    original: 'small.png',
    others: {
      ImageMagick: 'convert small.png -auto-orient -quality 90 -sampling-factor 1x1 x.jpg',
      vips: 'vips jpegsave small.png x.jpg --Q 90',
    },
    output: 'x.jpg',
    goal: 1,
  })
  await contest({
    job: 'image.jpg-to-avif',
    source: 'small.jpg',
    original: 'small.jpg',
    others: {
      'avifenc -s 6': quantizer =>
        `avifenc -s 6 -j all -y 420 --min 0 --max 63 -a end-usage=q -a cq-level=${quantizer} small.jpg x.avif`,
      ImageMagick: 'convert small.jpg -auto-orient -quality 60 x.avif',
      vips: 'vips heifsave small.jpg x.avif --compression av1 --Q 60 --effort 3',
    },
    output: 'x.avif',
    goal: 1,
  })
  await contest({
    job: 'image.gif-to-webp',
    source: 'waves.gif',
    original: 'waves.gif',
    others: {
      'gif2webp -lossy': 'gif2webp -quiet -lossy -q 82 waves.gif -o x.webp',
      ImageMagick: 'convert waves.gif -quality 82 x.webp',
      vips: 'vips webpsave waves.gif[n=-1] x.webp --Q 82',
    },
    output: 'x.webp',
    goal: 1,
  })
  await contest({
    job: 'image.heic-to-jpg',
    source: 'small.heic',
    original: 'small.jpg',
    others: { 'heif-convert': 'heif-convert -q 90 small.heic x.jpg' },
    output: 'x.jpg',
    goal: 1.3,
    cause: 'the start of ffmpeg, which decodes it',
  })
  await make('large', 6000, 4000)
  await contest({
    job: 'image.cr2-to-jpg',
    source: 'large.cr2',
    original: 'large.jpg',
    others: {
      'dcraw_emu | cjpeg':
        'dcraw_emu -w -q 3 -Z - large.cr2 | cjpeg -quality 90 -sample 1x1 -optimize > x.jpg',
    },
    output: 'x.jpg',
    goal: 1.3,
  })

  for (const target of ['webp', 'avif', 'png']) await memory(`image.jpg-to-${target}`, 'large.jpg')
  await memory('image.png-to-webp', 'large.png')
  await memory('image.heic-to-jpg', 'large.heic')
  await memory('image.cr2-to-jpg', 'large.cr2')
  for (const target of ['webp', 'avif']) {
    const smartCompression = { enabled: true, mode: 'lossless' }
    await memory(`image.jpg-to-${target}`, 'large.jpg', { smartCompression }, ' lossless')
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
