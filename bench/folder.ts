/**
 * A folder of mixed pictures to WebP, over the API and saved to a folder from the app, with both cores, beside the programs that a person
 * would start for each file, one for each core. `BENCH_FILES` says how many. Linux only; needs Debian's imagemagick and libvips-tools.
 * Uses the built service: run `npm run build` first.
 */
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import sharp from 'sharp'
import { heicOf } from '../testing/samples/heif.ts'
import { convert, isForReport, median, openPage, report, rounds, startBuiltService } from './harness.ts'
import { photograph } from './pictures.ts'

/** In groups of 30, in which every kind has its share. */
const FILES = Number(process.env.BENCH_FILES ?? (isForReport ? 30 : 110))
const ROUNDS = isForReport ? rounds(2) : rounds(3)
/** Requests under way at once, as many as a client of this service may have open. */
const OPEN = 18
/** Files that the window adds at once. */
const ADDED_AT_ONCE = 6
const GOAL = 0.7

type Batch = { id: string; state: string }

const folder = await mkdtemp(join(tmpdir(), 'refile-bench-folder-'))
const sources = join(folder, 'in')
await mkdir(sources)

/** JPEG, PNG and HEIC of three sizes, as in a folder of pictures. */
async function makeFiles(): Promise<void> {
  const photo = await photograph(4000, 3000)
  const sizes = [1600, 2400, 4000]
  const kinds = await Promise.all(
    sizes.flatMap(width => {
      const scaled = sharp(photo).resize(width)
      return [
        scaled.clone().jpeg({ quality: 92 }).toBuffer(),
        scaled
          .clone()
          .resize(width / 2)
          .png()
          .toBuffer(),
      ]
    }),
  )
  const { data, info } = await sharp(photo).resize(2400).raw().toBuffer({ resolveWithObject: true })
  const heic = heicOf({ data, width: info.width, height: info.height })
  for (let nth = 0; nth < FILES; nth++) {
    const isHeic = nth % 5 === 4
    const kind = nth % kinds.length
    const suffix = isHeic ? 'heic' : kind % 2 === 0 ? 'jpg' : 'png'
    await writeFile(join(sources, `${nth}.${suffix}`), isHeic ? heic : kinds[kind]!)
  }
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}

await makeFiles()
const names = await readdir(sources)
const service = await startBuiltService()
const page = await openPage(service)
const contents = new Map(
  await Promise.all(names.map(async name => [name, await readFile(join(sources, name))] as const)),
)

async function ours(): Promise<void> {
  const waiting = [...contents]
  const client = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      await writeFile(join(folder, `${next[0]}.webp`), await convert(service, next[0], next[1], 'webp'))
  }
  await Promise.all(Array.from({ length: OPEN }, client))
}

/** As from the window: files of this machine are read where they are, and one batch saves its results to a folder. */
async function fromTheApp(): Promise<void> {
  const ids: string[] = []
  const waiting = names.slice()
  const client = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      ids.push((await post<{ id: string }>('/app/files', { path: join(sources, next) })).id)
  }
  await Promise.all(Array.from({ length: ADDED_AT_ONCE }, client))
  const destination = { kind: 'folder', path: await mkdtemp(join(folder, 'out-')) }
  const { id } = await post<Batch>('/app/batches', { fileIds: ids, targetFormat: 'webp', destination })
  for (;;) {
    const batches = (await (await page('/app/batches')).json()) as Batch[]
    if (batches.find(batch => batch.id === id)?.state === 'done') break
    await setTimeout(100)
  }
  if ((await readdir(destination.path)).length !== FILES) throw new Error('not every file was saved')
}

async function post<Answer>(path: string, body: object): Promise<Answer> {
  const headers = { 'content-type': 'application/json' }
  const response = await page(path, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as Answer
}

// sharp sets VIPSHOME for its own libvips; the installed vips would look for its modules there.
const { VIPSHOME: _, ...plain } = process.env
const others = {
  vips: 'vips webpsave "$0" "$0.webp" --Q 82',
  ImageMagick: 'convert "$0" -auto-orient -quality 82 "$0.webp"',
}

/** @returns the seconds that a program takes for all files; undefined if it is not installed or fails */
function theirs(command: string): number | undefined {
  const started = performance.now()
  const each = ['-P', String(availableParallelism()), '-n', '1', 'sh', '-c', command]
  const { status } = spawnSync('xargs', each, {
    input: names.join('\n'),
    cwd: sources,
    env: { ...plain, MAGICK_THREAD_LIMIT: '1', VIPS_CONCURRENCY: '1' },
  })
  return status === 0 ? (performance.now() - started) / 1000 : undefined
}

await convert(service, 'a.jpg', contents.get('0.jpg')!, 'webp')
const own: number[] = []
const app: number[] = []
const rivals = Object.entries(others).map(([program, command]) => ({
  program,
  command,
  times: [] as number[],
}))
for (let round = 0; round < ROUNDS; round++) {
  own.push(await seconds(ours))
  app.push(await seconds(fromTheApp))
  for (const { command, times } of rivals) times.push(theirs(command) ?? Number.NaN)
}
await service.stop()
await rm(folder, { recursive: true })
for (const { program, times } of rivals) {
  if (Number.isNaN(median(times))) {
    console.log(`   --   ${program} is not installed or fails`)
    continue
  }
  for (const [way, spent] of [
    ['', own],
    [' from the app to a folder', app],
  ] as const) {
    const ratio = median(spent) / median(times)
    const subject = `${FILES} mixed pictures to WebP${way}, both cores, wall (${median(spent).toFixed(1)} s) / ${program}`
    report(subject, ratio.toFixed(2), `≤ ${GOAL}`, ratio <= GOAL)
  }
}
