/** Finds the ffmpeg program. */

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { JobFailure } from '../../../shared/errors.ts'
import { message } from '../../../shared/messages/message.ts'
import type { EngineReport } from '../report.ts'

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

/** How long a candidate may take to answer. */
const TIMEOUT_MS = 10_000

/**
 * Paths where ffmpeg may be, in order of preference: REFILE_FFMPEG, the copy packed with the app, the optional package
 * ffmpeg-static, PATH. They may not exist.
 */
export function candidates(env: NodeJS.ProcessEnv = process.env): string[] {
  const resources = env.REFILE_RESOURCES ?? (process as { resourcesPath?: string }).resourcesPath
  // Programs started from the Finder do not see what a shell adds to PATH.
  const extra = process.platform === 'darwin' ? ['/opt/homebrew/bin', '/usr/local/bin'] : []
  return [
    env.REFILE_FFMPEG,
    resources && join(resources, 'ffmpeg', PROGRAM),
    staticFfmpeg(),
    ...[...(env.PATH ?? '').split(delimiter), ...extra]
      .filter(folder => folder !== '')
      .map(folder => join(folder, PROGRAM)),
  ].filter(path => typeof path === 'string' && path !== '') as string[]
}

/** The package is optional, and its download may have failed even if it is installed. */
function staticFfmpeg(): string | null {
  try {
    const path: unknown = createRequire(import.meta.url)('ffmpeg-static')
    return typeof path === 'string' ? path.replace(/app\.asar([\\/])/, 'app.asar.unpacked$1') : null
  } catch {
    return null
  }
}

/**
 * The environment ffmpeg runs in: without proxies, FFREPORT, preset folders and anything else that could influence it.
 */
export function environment(): NodeJS.ProcessEnv {
  const { PATH, SystemRoot, TEMP, LD_LIBRARY_PATH, DYLD_LIBRARY_PATH } = process.env
  return {
    ...{ PATH, SystemRoot, TEMP, LD_LIBRARY_PATH, DYLD_LIBRARY_PATH },
    LANG: 'C',
    AV_LOG_FORCE_NOCOLOR: '1',
  }
}

/** Describes the program at `path`; null if it does not run or lacks a required encoder. */
export async function inspect(path: string): Promise<Ffmpeg | null> {
  try {
    // One start is enough: the banner goes to stderr, the list to stdout.
    const { stdout, stderr } = await promisify(execFile)(path, ['-encoders'], {
      env: environment(),
      timeout: TIMEOUT_MS,
      maxBuffer: 4_000_000,
      windowsHide: true,
    })
    const version = /^ffmpeg version (\S+)/m.exec(stderr)?.[1]
    const encoders = new Set([...stdout.matchAll(/^ [VAS][\w.]{5} (\S+)/gm)].map(match => match[1] as string))
    if (!version || !REQUIRED.every(name => encoders.has(name))) return null
    return { path, version, encoders }
  } catch {
    return null
  }
}

async function search(): Promise<Ffmpeg | null> {
  for (const path of candidates()) {
    const found = existsSync(path) ? await inspect(path) : null
    if (found) return found
  }
  return null
}

let found: Promise<Ffmpeg | null> | undefined

/** The first usable ffmpeg, or null. Only success is cached, so that ffmpeg is found as soon as it is installed. */
async function locate(): Promise<Ffmpeg | null> {
  found ??= search()
  const result = await found
  if (!result) found = undefined
  return result
}

/**
 * The ffmpeg to use.
 * @throws JobFailure `jobs.engine_missing`, with installation instructions
 */
export async function ffmpeg(): Promise<Ffmpeg> {
  const result = await locate()
  if (!result) {
    throw new JobFailure('jobs.engine_missing', message(`engines.ffmpeg_needed_${system}`))
  }
  return result
}

export async function report(): Promise<EngineReport> {
  const result = await locate()
  return {
    name: 'ffmpeg',
    version: result?.version ?? null,
    available: result !== null,
    hint: result ? null : message(`engines.install_ffmpeg_${system}`),
  }
}
