/** Recordings for tests, made and checked by external programs. */
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, extname, join, resolve } from 'node:path'
import { madeAll } from './cache.ts'
import { isFull } from './full.ts'
import { output, run } from './programs.ts'

/** A folder for the files of one test file. */
export const mediaFolder = (): string => mkdtempSync(join(tmpdir(), 'refile-media-'))

/** Runs a program and returns what it prints. */
export const tool = (program: string, ...args: string[]): string => output(program, args).toString()

/** Runs a program and returns its exit status and all its output. */
export function judge(program: string, ...args: string[]): { status: number; text: string } {
  const { status, stdout, stderr } = run(program, args)
  return { status, text: `${stdout}${stderr}` }
}

/** Creates a file with the system's ffmpeg and returns its path. */
export function make(path: string, ...args: string[]): string {
  makeAll([], [[path, ...args]])
  return path
}

/** Creates several files from the same inputs, each with options of its own, in one start of ffmpeg. */
export function makeAll(
  inputs: readonly string[],
  outputs: readonly [path: string, ...args: string[]][],
): void {
  const wanted = outputs.map(([path, ...args]) => ({ path, args: [...inputs, ...args, extname(path)] }))
  madeAll('ffmpeg', wanted, missing => {
    const made = outputs.filter(([path]) => missing.some(file => file.path === path))
    const written = made.flatMap(([path, ...args]) => [...args, path])
    tool('ffmpeg', '-nostdin', '-v', 'error', '-y', ...inputs, ...written)
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

const answers = new Map<string, unknown>()

/** What a program says about a file, asked once while the file stays as it is. */
export function once<Answer>(path: string, question: string, ask: () => Answer): Answer {
  const { size, mtimeMs } = statSync(path)
  const key = [path, size, mtimeMs, question].join('\n')
  if (!answers.has(key)) answers.set(key, ask())
  return answers.get(key) as Answer
}

/** ffprobe's answer about the container and the streams of a file. @param more further arguments */
export const ffprobeJson = <Answer>(path: string, ...more: string[]): Answer =>
  JSON.parse(tool('ffprobe', '-v', 'error', '-of', 'json', '-show_format', '-show_streams', ...more, path))

/** What ffprobe reports about a file. */
export const ffprobe = (
  path: string,
): Probed & { audio: Probed['streams'][number]; tags: Record<string, string> } =>
  once(path, 'ffprobe', () => {
    const probed = ffprobeJson<Probed>(path, '-show_chapters')
    const audio = probed.streams.find(stream => stream.codec_type === 'audio')
    if (!audio) throw new Error(`no audio in ${path}`)
    const tags = Object.entries({ ...audio.tags, ...probed.format.tags })
    return {
      ...probed,
      audio,
      tags: Object.fromEntries(tags.map(([key, value]) => [key.toLowerCase(), value])),
    }
  })

/** What ExifTool, which takes a fifth of a second to start, reads in a file, by the names of the tags; numbers as in the file. */
export const exif = (path: string): Record<string, string | undefined> =>
  once(path, 'exiftool', () => {
    const [found = {}] = JSON.parse(tool('exiftool', '-n', '-j', path)) as Record<string, unknown>[]
    return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, String(value)]))
  })

/** Formats that libsndfile reads: a decoder of its own, which starts in a twentieth of the time that ffmpeg takes. */
const SNDFILE = /\.(flac|mp3|ogg|opus|wav)$/

/** What libsndfile's program would clip, floating point beyond full scale, or reorder, the channels of surround in Opus. */
const isBeyond = (path: string) => {
  const head = readFileSync(path).subarray(0, 64)
  if (path.endsWith('.wav')) return head.readUInt16LE(head.readUInt16LE(20) === 0xfffe ? 44 : 20) === 3
  const opus = head.indexOf('OpusHead')
  return opus > 0 && head[opus + 9]! > 2
}

/**
 * Samples of every channel of a recording at its own rate, decoded once.
 * @param options of ffmpeg, which then decodes whatever the format
 */
export const channelsOf = (path: string, ...options: string[]): Float32Array[] =>
  once(path, options.join(' '), () => {
    const input = ['-nostdin', '-v', 'error', '-i', path, ...options, '-map', '0:a:0']
    const withFfmpeg = () => output('ffmpeg', [...input, '-c:a', 'pcm_f32be', '-f', 'au', '-'])
    if (options.length > 0 || !SNDFILE.test(path) || isBeyond(path)) return unpacked(withFfmpeg())
    const decoded = join(mkdtempSync(join(tmpdir(), 'refile-decoded-')), 'a.au')
    const { status, text } = judge('sndfile-convert', '-pcm32', path, decoded)
    // libsndfile refuses some MP3 files of less than a few seconds at low rates, which all other decoders play.
    const bytes = status === 0 ? readFileSync(decoded) : path.endsWith('.mp3') && withFfmpeg()
    rmSync(dirname(decoded), { recursive: true })
    if (!bytes) throw new Error(`sndfile-convert does not read ${path}: ${text}`)
    return unpacked(bytes)
  })

/**
 * Channels of an AU file of 32-bit numbers. The header says where it ends, in its second number, and in the fourth and the sixth
 * whether the numbers are whole, and how many channels there are.
 */
function unpacked(bytes: Buffer): Float32Array[] {
  const [start, encoding, count] = [4, 12, 20].map(at => bytes.readUInt32BE(at)) as [number, number, number]
  const content = Uint8Array.from(bytes.subarray(start, bytes.length - ((bytes.length - start) % 4)))
  Buffer.from(content.buffer).swap32()
  const isWhole = encoding === 5
  const all = isWhole ? new Int32Array(content.buffer) : new Float32Array(content.buffer)
  return Array.from({ length: count }, (_, channel) => {
    const one = new Float32Array(Math.floor(all.length / count))
    for (let at = 0; at < one.length; at++) one[at] = all[at * count + channel]! / (isWhole ? 2 ** 31 : 1)
    return one
  })
}

/** The same of one channel. */
export function samples(path: string, channel = 0, ...options: string[]): Float32Array {
  const found = channelsOf(path, ...options)[channel]
  if (!found) throw new Error(`no channel ${channel} in ${path}`)
  return found
}

/** Hash of all samples, to compare recordings of up to 24 bits or of floating point. */
export function soundHash(path: string): string {
  const hash = createHash('sha1')
  for (const channel of channelsOf(path)) hash.update(channel)
  return hash.digest('hex')
}

/** Correlation of two recordings, 1 if identical, with `b` shifted by `lag` samples, by all samples or by every so many. */
export function correlation(a: Float32Array, b: Float32Array, lag = 0, step = 1): number {
  let ab = 0
  let aa = 0
  let bb = 0
  const from = Math.max(0, -lag)
  const to = Math.min(a.length, b.length - lag)
  for (let i = from; i < to; i += step) {
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

/** The lag within ±`reach` samples at which `b` best matches `a`: near the best one by every eighth sample. */
export function lagOf(a: Float32Array, b: Float32Array, reach = 2300): number {
  const start = Math.min(20_000, a.length >> 2)
  const part = a.subarray(start, start + 4000)
  const best = (from: number, to: number, step: number) => {
    let found = { lag: 0, value: -1 }
    for (let lag = Math.max(from, -start); lag <= to; lag++) {
      const value = correlation(part, b.subarray(start + lag, start + lag + part.length), 0, step)
      if (value > found.value) found = { lag, value }
    }
    return found.lag
  }
  const near = best(-reach, reach, 8)
  return best(near - 8, near + 8, 1)
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
