import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { UsageError } from './exit-codes.ts'

/** Settings of the command line that are the same from run to run. */
export interface Settings {
  /** Origin of a service elsewhere; by default the one of this machine. */
  url?: string
  key?: string
  /** Data folder of the service of this machine. */
  home?: string
  /** Folder for results. */
  out?: string
  /** Template of their names. */
  name?: string
  /** Files converted at once. */
  jobs?: number
}

const FILE = 'refile.config.json'
const texts = ['url', 'key', 'home', 'out', 'name'] as const

/**
 * The settings for a command: flags, then `REFILE_URL`, `REFILE_API_KEY` and `REFILE_HOME`, then the nearest refile.config.json from
 * the working folder upward.
 * @throws UsageError if that file is not what it should be, or a flag gives a key for no service
 */
export function readSettings(
  flags: Settings,
  folder: string = process.cwd(),
  environment: NodeJS.ProcessEnv = process.env,
): Settings {
  const { REFILE_URL: url, REFILE_API_KEY: key, REFILE_HOME: home } = environment
  const settings = { ...fromFile(folder), ...present({ url, key, home }), ...present({ ...flags }) }
  if (settings.url !== undefined && !/^https?:\/\/[^/]/i.test(settings.url))
    throw new UsageError(`The address of a service is like http://127.0.0.1:7421, not "${settings.url}".`)
  if (flags.key !== undefined && settings.url === undefined)
    throw new UsageError(
      '--key is for a service at --url or REFILE_URL; the service of this machine lets its user in without one.',
    )
  return settings
}

const present = (settings: { [Name in keyof Settings]?: Settings[Name] | undefined }): Settings =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined && value !== ''))

function fromFile(folder: string): Settings {
  const path = nearest(folder)
  if (path === undefined) return {}
  const wrong = (reason: string) => new UsageError(`${path} ${reason}`)
  let found: unknown
  try {
    found = JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    throw wrong('is not valid JSON.')
  }
  if (typeof found !== 'object' || found === null || Array.isArray(found))
    throw wrong('is not a JSON object.')
  for (const [name, value] of Object.entries(found)) {
    const isText = texts.includes(name as (typeof texts)[number])
    if (!isText && name !== 'jobs')
      throw wrong(`has the unknown setting "${name}"; there are ${texts.join(', ')} and jobs.`)
    if (typeof value !== (isText ? 'string' : 'number'))
      throw wrong(`has a "${name}" that is not a ${isText ? 'text' : 'number'}.`)
    if (name === 'jobs' && !(Number.isInteger(value) && Number(value) >= 1))
      throw wrong('has "jobs" that are no whole number of 1 or more.')
  }
  return found
}

function nearest(folder: string): string | undefined {
  const path = join(folder, FILE)
  if (existsSync(path)) return path
  return dirname(folder) === folder ? undefined : nearest(dirname(folder))
}
