/** Finds the ffmpeg program. */

import { execFile } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { programEnvironment } from '../../common/programs.ts'
import type { EngineReport } from '../../common/report.ts'
import { FOUND_FFMPEG } from './found.ts'

export interface Ffmpeg {
  /** Absolute path of the program. */
  path: string
  /** Version from its banner, such as `6.1.1`. */
  version: string
  /** Names of the encoders it was built with. */
  encoders: ReadonlySet<string>
}

/** Encoders that audio conversions need; a build without them is not used. */
const REQUIRED = ['libmp3lame', 'libopus', 'libvorbis', 'aac', 'flac', 'pcm_s16le', 'pcm_s24le']

/** The system whose installation instructions are shown. */
const system = ({ darwin: 'macos', win32: 'windows' } as const)[process.platform as string] ?? 'linux'

const PROGRAM = process.platform === 'win32' ? 'ffmpeg.exe' : 'ffmpeg'

/**
 * How long a candidate may take to answer before it is given up as busy: on a machine under load, or with a virus scanner,
 * it has taken more than ten seconds.
 */
const PATIENCE_MS = 120_000

/**
 * Paths where ffmpeg may be, in order of preference, by where it comes from: REFILE_FFMPEG; the copy packed with the app, and the
 * optional package ffmpeg-static; PATH. They may not exist.
 */
export function candidates(
  env: NodeJS.ProcessEnv = process.env,
): Record<'wanted' | 'packed' | 'installed', string[]> {
  const resources = env.REFILE_RESOURCES ?? (process as { resourcesPath?: string }).resourcesPath
  // Programs started from the Finder do not see what a shell adds to PATH.
  const extra = process.platform === 'darwin' ? ['/opt/homebrew/bin', '/usr/local/bin'] : []
  const isPath = (path: string | null | undefined): path is string => typeof path === 'string' && path !== ''
  const folders = [...(env.PATH ?? '').split(delimiter), ...extra].filter(isPath)
  return {
    wanted: [env.REFILE_FFMPEG].filter(isPath),
    packed: [resources && join(resources, 'ffmpeg', PROGRAM), staticFfmpeg()].filter(isPath),
    installed: folders.map(folder => join(folder, PROGRAM)),
  }
}

/** The package is optional and for development, and its download may have failed even if it is installed. */
function staticFfmpeg(): string | null {
  try {
    return createRequire(import.meta.url)('ffmpeg-static')
  } catch {
    return null
  }
}

/**
 * Folders of plain libraries of linear algebra, which Debian's ffmpeg links and never calls here: binding OpenBLAS instead, where that is
 * installed too, is a quarter of its start.
 */
const plainAlgebra = process.platform === 'linux' ? globSync('/usr/lib/*-linux-gnu/{blas,lapack}') : []

/** The environment ffmpeg runs in. */
export function environment(): NodeJS.ProcessEnv {
  const env = programEnvironment()
  const libraries = [...plainAlgebra, env.LD_LIBRARY_PATH].filter(Boolean).join(delimiter)
  return { ...env, ...(libraries && { LD_LIBRARY_PATH: libraries }), AV_LOG_FORCE_NOCOLOR: '1' }
}

/**
 * Describes the program at `path`; null if it does not run or lacks a required encoder.
 * @throws JobFailure `jobs.timeout` if it did not answer in time, which says nothing about it
 */
export async function inspect(path: string, patienceMs = PATIENCE_MS): Promise<Ffmpeg | null> {
  try {
    // One start is enough: the banner goes to stderr, the list to stdout.
    const { stdout, stderr } = await promisify(execFile)(path, ['-encoders'], {
      env: environment(),
      timeout: patienceMs,
      killSignal: 'SIGKILL',
      maxBuffer: 4_000_000,
      windowsHide: true,
    })
    const version = /^ffmpeg version (\S+)/m.exec(stderr)?.[1]
    const encoders = new Set([...stdout.matchAll(/^ [VAS][\w.]{5} (\S+)/gm)].map(match => match[1] as string))
    if (!version || !REQUIRED.every(name => encoders.has(name))) return null
    return { path, version, encoders }
  } catch (error) {
    if (!(error as { killed?: boolean }).killed) return null
    throw new JobFailure('jobs.timeout', message('engines.ffmpeg_busy', { seconds: patienceMs / 1000 }))
  }
}

/** What distinguishes builds of a program. */
async function identityOf(path: string): Promise<string> {
  const { size, mtimeMs } = await stat(path)
  return JSON.stringify([path, size, mtimeMs])
}

/** What programs have answered to whichever process, by their identities. It may be anything, and is not trusted with paths. */
function remembered(): Record<string, { version: string; encoders: string[] }> {
  try {
    return JSON.parse(process.env[FOUND_FFMPEG] ?? '{}') ?? {}
  } catch {
    return {}
  }
}

/** Describes the program at `path` as `inspect` does, once for all processes. */
async function known(path: string, patienceMs: number | undefined): Promise<Ffmpeg | null> {
  const identity = await identityOf(path)
  const all = remembered()
  const { version, encoders } = all[identity] ?? {}
  if (typeof version === 'string' && Array.isArray(encoders))
    return { path, version, encoders: new Set(encoders) }
  const found = await inspect(path, patienceMs)
  if (found)
    process.env[FOUND_FFMPEG] = JSON.stringify({
      ...all,
      [identity]: { version: found.version, encoders: [...found.encoders] },
    })
  return found
}

/**
 * The program that is asked for; otherwise the packed one, unless an installed one says that it is newer, or has no flaw of the packed one.
 * @throws JobFailure `jobs.timeout` if no program was found and one did not answer
 */
async function search(patienceMs: number | undefined): Promise<Ffmpeg | null> {
  let busy: unknown
  const first = async (paths: readonly string[]) => {
    for (const path of paths.filter(path => existsSync(path))) {
      const found = await known(path, patienceMs).catch(error => {
        busy ??= error
        return null
      })
      if (found) return found
    }
    return null
  }
  const { wanted, packed, installed } = candidates()
  const own = await first(wanted)
  if (own) return own
  const [inside, outside] = [await first(packed), await first(installed)]
  const best = inside && outside && isBetter(outside.version, inside.version) ? outside : (inside ?? outside)
  if (!best && busy) throw busy
  return best
}

/** The numbers of a release, such as `7.1.5-0+deb13u1` or `n8.0`; empty for a build from between two releases. */
const numbersOf = (version: string): number[] =>
  (/^n?(\d+(?:\.\d+)+)/.exec(version)?.[1] ?? '').split('.').filter(Boolean).map(Number)

/** Whether a release is known to come before another. */
export function isOlder(version: string, other: string): boolean {
  const [own, theirs] = [numbersOf(version), numbersOf(other)]
  if (own.length === 0 || theirs.length === 0) return false
  const at = [0, 1, 2].find(index => (own[index] ?? 0) !== (theirs[index] ?? 0))
  return at !== undefined && (own[at] ?? 0) < (theirs[at] ?? 0)
}

/** The first releases without CVE-2026-8461 (heap write in the decoder of MagicYUV), the newest branch first. */
const FIXED = ['8.1.2', '8.0.3', '7.1.5']

/** Whether a version does not exclude the flaw: distributions fix it in older ones too, whose version does not tell. */
const isOutdated = (version: string): boolean => {
  const branch = (release: string) => numbersOf(release).slice(0, 2).join('.')
  return isOlder(version, FIXED.find(fixed => branch(fixed) === branch(version)) ?? FIXED[0]!)
}

const isSound = (version: string) => numbersOf(version).length > 0 && !isOutdated(version)

/** Whether a release is to be preferred: one that is known to be without the flaw, then a newer one. */
const isBetter = (version: string, other: string): boolean =>
  isSound(version) === isSound(other) ? isOlder(other, version) : isSound(version)

let found: Promise<Ffmpeg | null> | undefined

/** The first usable ffmpeg, or null. Only success is cached, so that ffmpeg is found as soon as it is installed. */
async function locate(patienceMs?: number): Promise<Ffmpeg | null> {
  found ??= search(patienceMs)
  try {
    const result = await found
    if (!result) found = undefined
    return result
  } catch (error) {
    found = undefined
    throw error
  }
}

/**
 * The ffmpeg to use.
 * @param patienceMs how long a program may take to answer
 * @throws JobFailure `jobs.engine_missing`, with installation instructions; `jobs.timeout` if it did not answer
 */
export async function ffmpeg(patienceMs?: number): Promise<Ffmpeg> {
  const result = await locate(patienceMs)
  if (!result) throw missingFfmpeg()
  return result
}

/** What a conversion fails with that has no ffmpeg, or one that cannot do what is needed. */
export const missingFfmpeg = (options?: ErrorOptions): JobFailure =>
  new JobFailure('jobs.engine_missing', message(`engines.ffmpeg_needed_${system}`), options)

/** A program that is too busy to answer is there. */
export async function report(patienceMs?: number): Promise<EngineReport> {
  const result = await locate(patienceMs).catch(() => 'busy' as const)
  const version = result === null || result === 'busy' ? null : result.version
  const isOld = version !== null && isOutdated(version)
  const hint =
    result === null
      ? message(`engines.install_ffmpeg_${system}`)
      : isOld
        ? message('engines.ffmpeg_outdated', { version })
        : null
  return { name: 'ffmpeg', version, available: result !== null, hint }
}
