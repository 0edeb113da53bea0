/** The time and memory of audio conversions, compared with the programs a person would use instead. Linux only. */
import { execFileSync, spawnSync } from 'node:child_process'
import { openAsBlob, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepare } from './conversion.ts'
import {
  best,
  childrenOf,
  isForReport,
  median,
  processorSeconds,
  report,
  rounds,
  startBuiltService,
} from './harness.ts'

/** Lengths in seconds: of the recording, of a short one, of those encoded on two cores, and of a whole audiobook. */
const SECONDS = Number(process.env.BENCH_SECONDS ?? (isForReport ? 60 : 300))
const SHORT_SECONDS = 3
const LONG_SECONDS = Number(process.env.BENCH_LONG_SECONDS ?? (isForReport ? 900 : 3600))
const BOOK_SECONDS = Number(process.env.BENCH_BOOK_SECONDS ?? (isForReport ? 3600 : 3 * 3600))
const ROUNDS = rounds(5)

const folder = await mkdtemp(join(tmpdir(), 'refile-bench-media-'))
const at = (name: string) => join(folder, name)
const tool = (program: string, ...args: string[]) => void execFileSync(program, args, { stdio: 'ignore' })
const ffmpeg = (...args: string[]) => tool('ffmpeg', '-nostdin', '-v', 'error', '-y', ...args)
const installed = (program: string) => spawnSync(program, ['--version']).error === undefined

/** One conversion in a worker that measured the file when it was submitted. */
async function conversion(job: string, path: string, cores = 1): Promise<() => Promise<unknown>> {
  const { measure, convert } = await prepare({ job, path, folder, cores })
  await measure()
  return convert
}

/** What every conversion with ffmpeg costs before it begins, in milliseconds of processor time: a build of many libraries starts slowly. */
function startOfFfmpeg(): number {
  const used = processorSeconds(process.pid)
  const times = 20
  for (let time = 0; time < times; time++) tool('ffmpeg', '-version')
  return (1000 * (processorSeconds(process.pid) - used)) / times
}

interface Contest {
  job: string
  source: string
  seconds: number
  cores?: number
  program: string
  /** Arguments of the program; for ffmpeg, those after the input. */
  args: string[]
  goal: number
}

const start = startOfFfmpeg().toFixed(0)

async function compete({ job, source, seconds, cores = 1, program, args, goal }: Contest): Promise<void> {
  const length = seconds >= 60 ? `${seconds / 60} min` : `${seconds} s`
  const pair = job.replace(/^\w+\./, '').replace('-to-', ' → ')
  const subject = `${pair} of ${length}${cores > 1 ? ` on ${cores} cores, wall` : ', processor'} / ${program}`
  if (!installed(program)) return console.log(`   --   ${subject}: ${program} is not installed`)
  const theirs = async () =>
    program === 'ffmpeg' ? ffmpeg('-i', at(source), ...args) : tool(program, ...args)
  const own = await conversion(job, at(source), cores)
  // Short ones are repeated, since the system counts processor time in hundredths of a second.
  const times = seconds < 60 ? 10 : 1
  const cost = async (work: () => Promise<unknown>) => {
    const [started, used] = [performance.now(), processorSeconds(process.pid)]
    for (let time = 0; time < times; time++) await work()
    return cores > 1 ? (performance.now() - started) / 1000 : processorSeconds(process.pid) - used
  }
  await own()
  // Alternates the two, so that other load on the machine affects both, and compares by the median ratio.
  const ratios: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const other = await cost(theirs)
    ratios.push((await cost(own)) / other)
  }
  const ratio = median(ratios)
  const cause = program === 'ffmpeg' ? undefined : `ours is ffmpeg, whose start takes ${start} ms here`
  report(subject, ratio.toFixed(2), `≤ ${goal}`, ratio <= goal, cause)
}

/** An audiobook with a cover and a chapter every five minutes: the recording repeated. */
function makeBook(path: string, seconds: number): void {
  // Bare AAC packets stay in sync when files are concatenated.
  const recording = readFileSync(at('a.aac'))
  writeFileSync(at('book.aac'), Buffer.concat(Array<Buffer>(Math.ceil(seconds / SECONDS)).fill(recording)))
  const chapters = Array.from({ length: Math.ceil(seconds / 300) }, (_, index) => [
    '[CHAPTER]',
    'TIMEBASE=1/1',
    `START=${index * 300}`,
    `END=${Math.min(seconds, (index + 1) * 300)}`,
    `title=Chapter ${index + 1}`,
  ])
  writeFileSync(at('chapters.txt'), [';FFMETADATA1', 'title=A long book', ...chapters.flat()].join('\n'))
  ffmpeg('-f', 'lavfi', '-i', 'testsrc=s=800x800', '-frames:v', '1', at('cover.jpg'))
  ffmpeg(
    ...['-i', at('book.aac'), '-i', at('chapters.txt'), '-i', at('cover.jpg')],
    ...['-map', '0:a', '-map', '2:v', '-map_metadata', '1', '-map_chapters', '1', '-t', String(seconds)],
    ...['-c', 'copy', '-disposition:v', 'attached_pic', '-f', 'mp4', '-movflags', '+faststart', path],
  )
}

/** Moves a whole audiobook into another container without encoding; most of its time goes into decoding it to find damage. */
async function rewrap(book: string): Promise<void> {
  const ratios: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const decoding = await best(1, async () => ffmpeg('-i', book, '-map', '0:a', '-f', 'null', '-'))
    ratios.push((await best(1, async () => (await conversion('audio.m4b-to-m4a', book))())) / decoding)
  }
  const ratio = median(ratios)
  const subject = `m4b → m4a of ${BOOK_SECONDS / 3600} h / ffmpeg's decoding, its measuring included`
  report(subject, ratio.toFixed(2), '≤ 1.15', ratio <= 1.15)
}

/** Proportional memory of a process and its descendants in megabytes: shared pages are counted once. */
function proportionalMegabytes(pid: number): number {
  try {
    const memory = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1')
    const own = Number(/^Pss:\s+(\d+)/m.exec(memory)?.[1]) / 1000
    return childrenOf(pid).reduce((sum, child) => sum + proportionalMegabytes(child), own)
  } catch {
    // The process has just exited.
    return 0
  }
}

/** Peak memory of a worker of the service and of its programs, using all cores. */
async function memory(book: string): Promise<void> {
  const service = await startBuiltService()
  const headers = { 'x-service-api-key': service.key }
  let peak = 0
  const watch = setInterval(() => {
    for (const worker of childrenOf(service.pid)) peak = Math.max(peak, proportionalMegabytes(worker))
  }, 100)
  try {
    const form = new FormData()
    form.set('targetFormat', 'mp3')
    form.set('file', await openAsBlob(book), 'book.m4b')
    const submitted = await fetch(`${service.url}/convert`, { method: 'POST', body: form, headers })
    const { id } = (await submitted.json()) as { id: string }
    const events = await (await fetch(`${service.url}/convert/job/${id}/events`, { headers })).text()
    if (!events.includes('"status":"Succeeded"')) throw new Error('the job did not succeed')
  } finally {
    clearInterval(watch)
    await service.stop()
  }
  const subject = `m4b → mp3 of ${BOOK_SECONDS / 3600} h: memory of worker and ffmpeg`
  report(subject, `${peak.toFixed(0)} MB`, '< 150 MB', peak < 150)
}

try {
  const noise = `anoisesrc=d=${SECONDS}:c=pink:a=0.3:r=44100`
  const tones = `aevalsrc=0.3*sin(2*PI*(200+t)*t)*(0.6+0.4*sin(3*t)):s=44100:d=${SECONDS}`
  const lavfi = [noise, tones].flatMap(source => ['-f', 'lavfi', '-i', source])
  ffmpeg(...lavfi, '-filter_complex', 'amerge=inputs=2', at('a.wav'))
  const aac = ['-c:a', 'aac', '-b:a', '96k', '-f', 'mp4']
  ffmpeg('-i', at('a.wav'), ...aac, at('a.m4b'))
  ffmpeg('-i', at('a.m4b'), '-c', 'copy', at('a.aac'))
  ffmpeg('-i', at('a.wav'), at('a.flac'))
  ffmpeg('-i', at('a.wav'), '-t', String(SHORT_SECONDS), '-c', 'copy', at('short.wav'))
  ffmpeg('-i', at('short.wav'), ...aac, at('short.m4b'))
  const film = ['-f', 'lavfi', '-i', 'testsrc=s=640x360', '-i', at('short.m4b'), '-shortest']
  ffmpeg(...film, '-c:v', 'libx264', '-c:a', 'copy', at('short.mp4'))
  ffmpeg('-stream_loop', '-1', '-i', at('a.wav'), '-t', String(LONG_SECONDS), '-c', 'copy', at('long.wav'))
  makeBook(at('long.m4b'), LONG_SECONDS)

  const mp3 = ['-map', '0:a', '-c:a', 'libmp3lame', '-q:a', '2', at('x.mp3')]
  const opus = ['-c:a', 'libopus', '-b:a', '128k', at('x.opus')]
  const single = { seconds: SECONDS, goal: 1.05 }
  const short = { seconds: SHORT_SECONDS, program: 'ffmpeg', goal: 1.1 }
  const long = { seconds: LONG_SECONDS, program: 'ffmpeg', cores: 2, goal: 0.6 }
  const wav = at('a.wav')
  const contests: Contest[] = [
    { ...single, job: 'audio.wav-to-mp3', source: 'a.wav', program: 'ffmpeg', args: mp3 },
    {
      ...{ ...single, job: 'audio.wav-to-mp3', source: 'a.wav', program: 'lame' },
      args: ['--quiet', '-V2', wav, at('x.mp3')],
    },
    { ...single, job: 'audio.wav-to-opus', source: 'a.wav', program: 'ffmpeg', args: opus },
    {
      ...{ ...single, job: 'audio.wav-to-opus', source: 'a.wav', program: 'opusenc' },
      args: ['--quiet', '--bitrate', '128', wav, at('x.opus')],
    },
    {
      ...{ ...single, job: 'audio.wav-to-flac', source: 'a.wav', program: 'flac' },
      args: ['-s', '-f', '-5', wav, '-o', at('x.flac')],
    },
    { ...single, job: 'audio.wav-to-flac', source: 'a.wav', program: 'ffmpeg', args: [at('x.flac')] },
    {
      ...{ ...single, job: 'audio.flac-to-wav', source: 'a.flac', program: 'flac' },
      args: ['-s', '-f', '-d', at('a.flac'), '-o', at('x.wav')],
    },
    { ...single, job: 'audio.flac-to-wav', source: 'a.flac', program: 'ffmpeg', args: [at('x.wav')] },
    { ...single, job: 'audio.m4b-to-mp3', source: 'a.m4b', program: 'ffmpeg', args: mp3 },
    { ...short, job: 'audio.wav-to-mp3', source: 'short.wav', args: mp3 },
    { ...short, job: 'audio.m4b-to-mp3', source: 'short.m4b', args: mp3 },
    { ...short, job: 'video.mp4-to-mp3', source: 'short.mp4', args: mp3 },
    {
      ...{ ...short, job: 'audio.wav-to-mp3', source: 'short.wav', program: 'lame' },
      args: ['--quiet', '-V2', at('short.wav'), at('x.mp3')],
    },
    {
      ...{ ...short, job: 'audio.wav-to-flac', source: 'short.wav', program: 'flac' },
      args: ['-s', '-f', '-5', at('short.wav'), '-o', at('x.flac')],
    },
    { ...long, job: 'audio.wav-to-mp3', source: 'long.wav', args: mp3 },
    { ...long, job: 'audio.wav-to-opus', source: 'long.wav', args: opus },
    { ...long, job: 'audio.m4b-to-mp3', source: 'long.m4b', args: mp3 },
  ]
  for (const contest of contests) await compete(contest)

  makeBook(at('book.m4b'), BOOK_SECONDS)
  await rewrap(at('book.m4b'))
  await memory(at('book.m4b'))
} finally {
  await rm(folder, { recursive: true, force: true })
}
