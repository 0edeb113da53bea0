import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { liesWithin, realPath } from '../service/shared/names/within.ts'
import { defaultHome } from '../service/shared/settings/table.ts'
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
  /** Preset where neither it nor a target is named. */
  preset?: string
  /** Files converted at once. */
  jobs?: number
}

const FILE = 'refile.config.json'
const texts = ['url', 'key', 'home', 'out', 'name', 'preset'] as const
/** What decides where files, the key and the rules of watched folders go, which whoever wrote a folder must not. */
const personal = ['url', 'key', 'home'] as const

/**
 * The settings for a command: flags, then `REFILE_URL`, `REFILE_API_KEY` and `REFILE_HOME`, then the nearest refile.config.json from
 * the working folder upward, then that of the data folder. A key goes only with an address of the same source.
 * @param note is told what is ignored, and why
 * @throws UsageError if a file is not what it should be, or a flag gives a key for no service
 */
export function readSettings(
  flags: Settings,
  folder: string = process.cwd(),
  environment: NodeJS.ProcessEnv = process.env,
  note: (text: string) => void = () => {},
): Settings {
  const { REFILE_URL, REFILE_API_KEY, REFILE_HOME } = environment
  const given = present({ ...flags })
  const variables = present({ url: REFILE_URL, key: REFILE_API_KEY, home: REFILE_HOME })
  const own = join(given.home ?? variables.home ?? defaultHome(process.platform, environment), FILE)
  const sources = [given, variables, fromFolder(folder, own, note), existsSync(own) ? read(own) : {}]
  const [ofAddress] = sources.filter(({ url }) => url !== undefined)
  const { url, key } = ofAddress ?? {}
  if (url !== undefined && !/^https?:\/\/[^/]/i.test(url))
    throw new UsageError(`The address of a service is like http://127.0.0.1:7421, not "${url}".`)
  if (given.key !== undefined && ofAddress !== given)
    throw new UsageError(
      '--key is for a service at --url, so give both; the service of this machine lets its user in without one.',
    )
  if (url !== undefined && key === undefined && sources.some(source => source.key !== undefined))
    note(`The key is not used: it was not set where the address ${url} was. Set both in the same place.`)
  const { key: _, ...others } = Object.assign({}, ...sources.toReversed()) as Settings
  return { ...others, ...present({ key }) }
}

const present = (settings: { [Name in keyof Settings]?: Settings[Name] | undefined }): Settings =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined && value !== ''))

/** What the nearest file above a folder may decide, which may have come with somebody else's files. */
function fromFolder(folder: string, own: string, note: (text: string) => void): Settings {
  const path = nearest(folder)
  if (path === undefined || path === own) return {}
  const { out, ...others } = read(path)
  const ignored: string[] = personal.filter(name => name in others)
  for (const name of personal) delete others[name]
  const to = out && resolve(dirname(path), out)
  const isBelow = to !== undefined && liesWithin(realPath(dirname(path)), realPath(to))
  if (to !== undefined && !isBelow) ignored.push('out')
  if (ignored.length > 0)
    note(
      `${path}: ${ignored.join(', ')} ignored. A folder's file may not lead elsewhere; use flags, or ${own}.`,
    )
  return { ...others, ...(isBelow && { out: relative(folder, to) || '.' }) }
}

function read(path: string): Settings {
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
