/** Recordings for tests, made and checked by external programs. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join, resolve } from 'node:path'
import { made } from './cache.ts'
import { isFull } from './full.ts'

/** A folder for the files of one test file. */
export const mediaFolder = (): string => mkdtempSync(join(tmpdir(), 'refile-media-'))

/** Runs a program and returns what it prints. */
export function tool(program: string, ...args: string[]): string {
  return execFileSync(program, args, {
    encoding: 'utf8',
    maxBuffer: 64 << 20,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Runs a program and returns its exit status and all its output. */
export function judge(program: string, ...args: string[]): { status: number | null; text: string } {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  return { status, text: `${stdout}${stderr}` }
}

/** Creates a file with the system's ffmpeg and returns its path. */
export function make(path: string, ...args: string[]): string {
  return made(path, 'ffmpeg', [...args, extname(path)], () => {
    tool('ffmpeg', '-nostdin', '-v', 'error', '-y', ...args, path)
  })
}

/** Two tones that differ by channel, under a slow swell that makes every moment recognisable. */
export const lively = (seconds: number, rate = 44_100): string[] => {
  const swell = '(0.3+0.2*sin(3*t)+0.1*sin(17.3*t*t))'
  const left = `${swell}*sin(2*PI*440*t)`
  const right = `${swell}*sin(2*PI*(300+80*t)*t)`
  return ['-f', 'lavfi', '-i', `aevalsrc=${left}|${right}:s=${rate}:d=${seconds}`]
}

export interface Probed {
  format: { format_name: string; duration?: string; tags?: Record<string, string> }
  streams: {
    codec_type: string
    codec_name: string
    sample_fmt?: string
    sample_rate?: string
    channels?: number
    channel_layout?: string
    bits_per_sample?: number
    bits_per_raw_sample?: string
    bit_rate?: string
    disposition: Record<string, number>
    tags?: Record<string, string>
  }[]
  chapters: { start_time: string; end_time: string; tags?: { title?: string } }[]
}

/** What ffprobe reports about a file. */
export function ffprobe(
  path: string,
): Probed & { audio: Probed['streams'][number]; tags: Record<string, string> } {
  const text = tool(
    'ffprobe',
    '-v',
    'error',
    '-of',
    'json',
    '-show_format',
    '-show_streams',
    '-show_chapters',
    path,
  )
  const probed = JSON.parse(text) as Probed
  const audio = probed.streams.find(stream => stream.codec_type === 'audio')
  if (!audio) throw new Error(`no audio in ${path}`)
  const tags = Object.entries({ ...audio.tags, ...probed.format.tags })
  return {
    ...probed,
    audio,
    tags: Object.fromEntries(tags.map(([key, value]) => [key.toLowerCase(), value])),
  }
}

/** Samples of one channel of a file, decoded by the system's ffmpeg at the file's own rate. */
export function samples(path: string, channel = 0, ...options: string[]): Float32Array {
  const raw = execFileSync(
    'ffmpeg',
    [
      '-nostdin',
      '-v',
      'error',
      '-i',
      path,
      ...options,
      '-map',
      '0:a:0',
      '-af',
      `pan=mono|c0=c${channel}`,
      '-f',
      'f32le',
      '-',
    ],
    { maxBuffer: 512 << 20 },
  )
  return new Float32Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + (raw.length & ~3)))
}

/** Samples of every channel of a file, decoded at once. */
export function channelsOf(path: string, channels: number, ...options: string[]): Float32Array[] {
  const args = ['-nostdin', '-v', 'error', '-i', path, ...options, '-map', '0:a:0', '-f', 'f32le', '-']
  const raw = execFileSync('ffmpeg', args, { maxBuffer: 512 << 20 })
  const all = new Float32Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + (raw.length & ~3)))
  return Array.from({ length: channels }, (_, channel) =>
    Float32Array.from({ length: all.length / channels }, (_, index) => all[index * channels + channel]!),
  )
}

/** MD5 of all samples of a file in one format, such as `s24le`. */
export const soundHash = (path: string, format: string): string =>
  tool(
    'ffmpeg',
    '-nostdin',
    '-v',
    'error',
    '-i',
    path,
    '-map',
    '0:a:0',
    '-c:a',
    `pcm_${format}`,
    '-f',
    'md5',
    '-',
  ).trim()

/** Correlation of two recordings, 1 if identical, with `b` shifted by `lag` samples. */
export function correlation(a: Float32Array, b: Float32Array, lag = 0): number {
  let ab = 0
  let aa = 0
  let bb = 0
  const from = Math.max(0, -lag)
  const to = Math.min(a.length, b.length - lag)
  for (let i = from; i < to; i++) {
    const x = a[i] as number
    const y = b[i + lag] as number
    ab += x * y
    aa += x * x
    bb += y * y
  }
  return ab / Math.sqrt(aa * bb || 1)
}

/** Signal-to-noise ratio, in decibels, of a window of a decoded recording. */
export function signalToNoise(
  original: Float32Array,
  decoded: Float32Array,
  from: number,
  to: number,
): number {
  let signal = 0
  let noise = 0
  for (let i = from; i < to; i++) {
    signal += (original[i] as number) ** 2
    noise += ((original[i] as number) - (decoded[i] as number)) ** 2
  }
  return 10 * Math.log10(signal / noise)
}

/** The lag within ±`reach` samples at which `b` best matches `a`. */
export function lagOf(a: Float32Array, b: Float32Array, reach = 2300): number {
  const start = Math.min(20_000, a.length >> 2)
  const part = a.subarray(start, start + 4000)
  let best = { lag: 0, value: -1 }
  for (let lag = -Math.min(reach, start); lag <= reach; lag++) {
    const value = correlation(part, b.subarray(start + lag, start + lag + 4000))
    if (value > best.value) best = { lag, value }
  }
  return best.lag
}

const samplesFolder = resolve(import.meta.dirname, '../../../shared/corpus')

/** Whether this machine has sample files of the world. Only the full suite uses them: the short one is the same in every clone. */
export const hasCorpus: boolean = isFull && existsSync(samplesFolder)

/** Formats that have a folder of samples. */
export const corpusFormats: string[] = hasCorpus
  ? readdirSync(samplesFolder, { withFileTypes: true }).flatMap(entry =>
      entry.isDirectory() ? entry.name : [],
    )
  : []

/** Sample files of a format, if there are any. */
export function corpus(format: string): string[] {
  const folder = join(samplesFolder, format)
  return hasCorpus && existsSync(folder) ? readdirSync(folder).map(name => join(folder, name)) : []
}

/** Path of one sample file, such as `psd/a.psd`. */
export const sample = (name: string): string => join(samplesFolder, name)
