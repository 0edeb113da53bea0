/**
 * The only place where ffmpeg is started: builds the arguments with fluent-ffmpeg, follows its progress, confines it to
 * its input and output, and converts its failures to ours.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import fluent from 'fluent-ffmpeg'
import { JobFailure } from '../../../../shared/errors.ts'
import { decodersOf, mediaDemuxers } from './decoders.ts'
import { FailedRun, failureOf } from './failures.ts'
import { environment, ffmpeg, missingFfmpeg } from './locate.ts'

/** What ffmpeg says of each damaged packet or page; in Matroska it only says where it lost its place. */
const DAMAGED =
  /Error (while decoding|submitting packet)|^\[ogg @ \w+\] CRC mismatch|^\[flac @ \w+\] CRC error|invalid as first byte of an EBML/

/** How many characters of ffmpeg's log are kept; a damaged file can make it endless. */
const LOG_LIMIT = 64_000

/** Largest single block that ffmpeg may allocate, so that a forged header cannot claim all memory. */
const ALLOCATION_LIMIT = 1 << 30

export interface Progress {
  /** Seconds of output written. */
  time: number
  /** Fraction of `duration`, 0 to 1; null if the duration is unknown. */
  fraction: number | null
  /** Seconds until the end; null while unknown. */
  eta: number | null
}

export interface Run {
  /** Path of a file, or piped data (which requires `demuxer`). */
  input: string | Readable
  /** Forces this demuxer; by default any that is safe for untrusted files. */
  demuxer?: string | null | undefined
  /** Options before the input. */
  inputOptions?: readonly string[]
  /** Path of a file, a stream to pipe to (ended if ffmpeg succeeds), or null if only the log is needed. */
  output: string | Writable | null
  /** Further files, read after all others and confined like the input. */
  moreInputs?: readonly { input: string; demuxer?: Run['demuxer']; inputOptions?: readonly string[] }[]
  /** Files of our own, which ffmpeg reads after the input. */
  ownInputs?: readonly string[]
  /** Options before the output. */
  outputOptions?: readonly string[]
  /** Length of the output in seconds, as far as known. */
  duration?: number | undefined
  /** An error it throws stops ffmpeg, and the run rejects with it. */
  onProgress?: ((progress: Progress) => void) | undefined
  /** Kills ffmpeg at once; the run rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** Kills ffmpeg after this many seconds; the run rejects with `jobs.timeout`. */
  seconds?: number
  /** `info` adds the descriptions of streams and filters to the log, `verbose` counts what was decoded. */
  verbosity?: 'error' | 'info' | 'verbose'
  /** Whether this does nothing but read the input, so that it need not be tried by itself after a failure. */
  isReading?: boolean
}

/** How a file is read. */
export type Demuxing = Pick<Run, 'demuxer' | 'inputOptions'>

export interface Finished {
  /** Seconds of output written; 0 if there was none. */
  time: number
  /** The end of ffmpeg's log, without progress reports. */
  log: string
  /** Number of packets that could not be decoded, or pages with a wrong checksum, that were skipped. */
  damaged: number
  /** Number of samples that were decoded for each channel; null if that was not counted. */
  decoded: number | null
}

/**
 * Runs ffmpeg. If it fails or is stopped, the output file is removed and a stream that it reads is destroyed.
 * @throws JobFailure `no_audio_track`, `corrupt_input`, `unsupported_input`, `disk_full`, `timeout`, `engine_missing`
 * or `engine_crashed`; the signal's reason when aborted
 */
export async function run(options: Run): Promise<Finished> {
  const { input, output, signal } = options
  try {
    const { path, encoders } = await ffmpeg()
    signal?.throwIfAborted()
    try {
      return await supervise(options, path)
    } catch (error) {
      if (!(error instanceof FailedRun)) throw error
      if (encodersOf(options).some(name => !encoders.has(name))) throw missingFfmpeg({ cause: error })
      const alone = decoding(options)
      const decodeAlone = () => (options.isReading ? Promise.reject(error) : supervise(alone, path))
      throw await failureOf(error, typeof input === 'string' ? decodeAlone : undefined)
    }
  } catch (error) {
    if (typeof output === 'string') await rm(output, { force: true })
    throw error
  } finally {
    if (typeof input !== 'string') input.destroy()
  }
}

/** Values of the options by name, without the stream that a name may end with. */
const valuesOf = (options: readonly string[], names: RegExp) =>
  options.filter((_, index) => names.test(options[index - 1] ?? ''))

const encodersOf = ({ outputOptions = [] }: Run) =>
  valuesOf(outputOptions, /^-(c|codec)(:|$)/).filter(name => name !== 'copy')

/** How long decoding alone may take before the file counts as sound. */
const ALONE_SECONDS = 60

/** The same input without anything that is done with it. */
function decoding({ input, demuxer, inputOptions = [], outputOptions = [], signal }: Run): Run {
  return {
    ...{ input, inputOptions, signal, output: null, seconds: ALONE_SECONDS },
    demuxer,
    // Streams in brackets come from filters.
    outputOptions: valuesOf(outputOptions, /^-map$/).flatMap(map =>
      map.startsWith('[') ? [] : ['-map', map],
    ),
  }
}

/** A file as ffmpeg's argument: the prefix keeps colons and dashes in names from being misinterpreted. */
const fileUrl = (path: string) => `file:${resolve(path)}`

/** Options that keep an input from being read as something else, from naming further ones, and from choosing any decoder. */
function confined(protocol: 'file' | 'pipe', demuxer: Run['demuxer']): string[] {
  const formats = demuxer && demuxer !== 'concat' ? [demuxer] : mediaDemuxers
  return [
    ...['-protocol_whitelist', protocol],
    // A list of our own names files that have been read before.
    ...['-format_whitelist', [...(demuxer === 'concat' ? [demuxer] : []), ...formats].join()],
    ...['-codec_whitelist', decodersOf(demuxer).join()],
    ...(demuxer ? ['-f', demuxer] : []),
  ]
}

/** Arguments with which ffprobe reads a file as `run` would. */
export const inputArguments = (path: string, { demuxer, inputOptions = [] }: Demuxing): string[] => [
  ...['-max_alloc', String(ALLOCATION_LIMIT), ...confined('file', demuxer), ...inputOptions],
  ...['-i', fileUrl(path)],
]

function argumentsOf(options: Run): string[] {
  const {
    input,
    output,
    demuxer,
    inputOptions = [],
    outputOptions = [],
    verbosity = 'error',
    moreInputs = [],
    ownInputs = [],
  } = options
  const command = fluent()
    .input(typeof input === 'string' ? fileUrl(input) : input)
    // Several arguments at once, because a single one would be split at its space.
    .inputOptions(
      '-hide_banner',
      '-nostdin',
      ...['-v', verbosity],
      '-nostats',
      ...['-progress', 'pipe:2'],
      ...['-max_alloc', String(ALLOCATION_LIMIT)],
      ...confined(typeof input === 'string' ? 'file' : 'pipe', demuxer),
      ...inputOptions,
    )
  // Chapters, subtitles and palettes.
  for (const own of ownInputs)
    command.input(fileUrl(own)).inputOptions('-codec_whitelist', decodersOf().join())
  for (const more of moreInputs)
    command
      .input(fileUrl(more.input))
      .inputOptions(...confined('file', more.demuxer), ...(more.inputOptions ?? []))
  if (output === null) command.output('-').outputOptions(...outputOptions, '-f', 'null')
  else if (typeof output === 'string') command.output(fileUrl(output)).outputOptions(...outputOptions, '-y')
  else command.output(output).outputOptions(...outputOptions, '-y')
  // It runs commands itself, too, but only after two more processes that list formats and encoders, and in our whole environment.
  return (command as unknown as { _getArguments(): string[] })._getArguments()
}

/** Runs ffmpeg to its end, and stops it. @throws FailedRun, the reason for which it was stopped, or the failure of a stream */
async function supervise(options: Run, path: string): Promise<Finished> {
  const { input, output, duration, onProgress, signal, seconds } = options
  let time = 0
  let log = ''
  let damaged = 0
  let wasCounted = false
  let stopped: unknown
  let ended = false

  const child = spawn(path, argumentsOf(options), {
    env: environment(),
    windowsHide: true,
    stdio: [typeof input === 'string' ? 'ignore' : 'pipe', isStream(output) ? 'pipe' : 'ignore', 'pipe'],
  })
  const stop = (reason: unknown) => {
    stopped ??= reason
    child.kill('SIGKILL')
  }
  const onAbort = () => stop(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  const timer = seconds ? setTimeout(() => stop(new JobFailure('jobs.timeout')), seconds * 1000) : undefined
  const publish = (progress: Progress) => {
    try {
      onProgress?.(progress)
    } catch (error) {
      stop(error)
    }
  }

  if (child.stdin && typeof input !== 'string') {
    // It only complains about the missing rest if the source of frames throws.
    input.once('error', stop)
    // It may end before it has read all.
    child.stdin.on('error', () => {})
    input.pipe(child.stdin)
  }
  // Observed from the start, since the output may fail at any time.
  const taken =
    child.stdout && isStream(output) ? finished(child.stdout.pipe(output), { readable: false }) : null
  taken?.catch(stop)
  const lines = createInterface({ input: child.stderr as Readable })
  lines.on('line', line => {
    const report = /^(\w+)=\s*(\S*)$/.exec(line)
    if (!report) {
      const isCounted = DAMAGED.test(line)
      const repeated = Number(/^\s+Last message repeated (\d+) times/.exec(line)?.[1] ?? 0)
      if (isCounted) damaged++
      else if (wasCounted) damaged += repeated
      wasCounted = isCounted
      if (log.length > 2 * LOG_LIMIT) log = log.slice(-LOG_LIMIT)
      log += `${line}\n`
    } else if (report[1] === 'out_time_us') {
      time = Math.max(time, Number(report[2]) / 1e6 || 0)
    } else if (report[1] === 'progress') {
      ended = report[2] === 'end'
    } else if (report[1] === 'speed' && duration) {
      const speed = Number.parseFloat(report[2] ?? '')
      publish({
        time,
        fraction: Math.min(1, time / duration),
        eta: speed > 0 ? Math.max(0, (duration - time) / speed) : null,
      })
    } else if (report[1] === 'speed') {
      publish({ time, fraction: null, eta: null })
    }
  })
  try {
    const [[code, killedBy]] = await Promise.all([once(child, 'close'), once(lines, 'close')])
    if (stopped !== undefined) throw stopped
    if (killedBy) throw new FailedRun(`it was killed by ${killedBy}`, log, true)
    if (code !== 0) throw new FailedRun(`it exited with code ${code}`, log, false)
    // Whatever the exit code: if the end was not reported, it was not reached.
    if (!ended) throw new FailedRun('it ended without saying so', log, true)
    // ffmpeg reports success even if only the last bytes could not be written.
    if (/^Error (writing trailer|closing file)/m.test(log))
      throw new FailedRun('it could not finish the file', log, true)
    await taken
    const counted = [...log.matchAll(/^ +Input stream #0:.*\((\d+) samples\)/gm)]
    return { time, log, damaged, decoded: counted.length === 1 ? Number(counted[0]?.[1]) : null }
  } catch (error) {
    if (error instanceof FailedRun || error === stopped) throw error
    // It may have been removed since it was found.
    const isMissing = /^(ENOENT|EACCES)$/.test((error as NodeJS.ErrnoException).code ?? '')
    throw isMissing
      ? missingFfmpeg({ cause: error })
      : new FailedRun((error as Error).message, log, true, { cause: error })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}

const isStream = (output: Run['output']): output is Writable => output !== null && typeof output !== 'string'
