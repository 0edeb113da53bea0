/** What converting sound costs beside the programs a person would use instead, as ratios of their time. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { withDefaults } from '../service/catalogue/options.ts'
import { converters } from '../service/converters/index.ts'
import { best, report } from './harness.ts'

/** Length of the recording, in seconds. */
const SECONDS = Number(process.env.BENCH_SECONDS ?? 300)
/** Length of the one encoded on two cores. */
const LONG_SECONDS = Number(process.env.BENCH_LONG_SECONDS ?? 3600)
const ROUNDS = 3

const folder = await mkdtemp(join(tmpdir(), 'refile-bench-media-'))
const at = (name: string) => join(folder, name)
const tool = (program: string, ...args: string[]) => void execFileSync(program, args, { stdio: 'ignore' })
const ffmpeg = (...args: string[]) => tool('ffmpeg', '-nostdin', '-v', 'error', '-y', ...args)
const installed = (program: string) => spawnSync(program, ['--version']).error === undefined

/** One conversion as a worker does it. */
async function convert(job: string, path: string, cores = 1): Promise<void> {
  const converter = converters.find(candidate => candidate.job === job)
  const work = await converter?.load?.()
  if (!converter || !work) throw new Error(`no ${job}`)
  const name = basename(path)
  await work.convert({
    input: { path, name, stem: name, bytes: 0, format: converter.source },
    source: converter.source,
    target: converter.target,
    options: withDefaults(converter.options, {}),
    folder,
    cores,
    signal: new AbortController().signal,
    progress: () => {},
    warn: message => console.log(message),
  })
}

async function compare(
  subject: string,
  ours: () => Promise<unknown>,
  program: string,
  theirs: () => void,
  goal: number,
  seconds = SECONDS,
) {
  if (!installed(program)) return console.log(`   --   ${subject}: ${program} is not installed`)
  // By turns, so that a busy moment of the machine strikes both; the middle ratio counts.
  const ratios: number[] = []
  let mine = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round++) {
    const other = await best(1, async () => theirs())
    const own = await best(1, ours)
    mine = Math.min(mine, own)
    ratios.push(own / other)
  }
  const ratio = ratios.toSorted((a, b) => a - b)[ROUNDS >> 1] as number
  const speed = Math.round((seconds * 1000) / mine)
  report(`${subject} / ${program} (${speed}× real time)`, ratio.toFixed(2), `≤ ${goal}`, ratio <= goal)
}

try {
  const noise = `anoisesrc=d=${SECONDS}:c=pink:a=0.3:r=44100`
  const tones = `aevalsrc=0.3*sin(2*PI*(200+t)*t)*(0.6+0.4*sin(3*t)):s=44100:d=${SECONDS}`
  ffmpeg(
    '-f',
    'lavfi',
    '-i',
    noise,
    '-f',
    'lavfi',
    '-i',
    tones,
    '-filter_complex',
    'amerge=inputs=2',
    at('a.wav'),
  )
  ffmpeg('-i', at('a.wav'), '-c:a', 'aac', '-b:a', '160k', '-f', 'mp4', at('a.m4b'))
  ffmpeg('-i', at('a.wav'), '-c:a', 'flac', at('a.flac'))
  const wav = at('a.wav')
  const mp3 = ['-c:a', 'libmp3lame', '-q:a', '2']
  const opus = ['-c:a', 'libopus', '-b:a', '128k']

  await compare(
    'wav → mp3',
    () => convert('audio.wav-to-mp3', wav),
    'ffmpeg',
    () => ffmpeg('-i', wav, ...mp3, at('x.mp3')),
    1.15,
  )
  await compare(
    'wav → mp3',
    () => convert('audio.wav-to-mp3', wav),
    'lame',
    () => tool('lame', '--quiet', '-V2', wav, at('x.mp3')),
    1.15,
  )
  await compare(
    'wav → opus',
    () => convert('audio.wav-to-opus', wav),
    'ffmpeg',
    () => ffmpeg('-i', wav, ...opus, at('x.opus')),
    1.15,
  )
  await compare(
    'wav → opus',
    () => convert('audio.wav-to-opus', wav),
    'opusenc',
    () => tool('opusenc', '--quiet', '--bitrate', '128', wav, at('x.opus')),
    1.15,
  )
  await compare(
    'wav → flac',
    () => convert('audio.wav-to-flac', wav),
    'flac',
    () => tool('flac', '-s', '-f', '-5', wav, '-o', at('x.flac')),
    1.25,
  )
  await compare(
    'flac → wav',
    () => convert('audio.flac-to-wav', at('a.flac')),
    'flac',
    () => tool('flac', '-s', '-f', '-d', at('a.flac'), '-o', at('x.wav')),
    1.5,
  )
  await compare(
    'm4b → mp3',
    () => convert('audio.m4b-to-mp3', at('a.m4b')),
    'ffmpeg',
    () => ffmpeg('-i', at('a.m4b'), ...mp3, at('x.mp3')),
    1.15,
  )

  const long = at('long.wav')
  const times = String(Math.ceil(LONG_SECONDS / SECONDS) - 1)
  ffmpeg('-stream_loop', times, '-i', wav, '-t', String(LONG_SECONDS), '-c', 'copy', long)
  for (const [target, args] of [
    ['mp3', mp3],
    ['opus', opus],
  ] as const) {
    await compare(
      `wav → ${target} of ${LONG_SECONDS / 60} minutes on 2 cores`,
      () => convert(`audio.wav-to-${target}`, long, 2),
      'ffmpeg',
      () => ffmpeg('-i', long, ...args, at(`x.${target}`)),
      0.6,
      LONG_SECONDS,
    )
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
