import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { delimiter, dirname, extname, join, sep } from 'node:path'

/** The files and folders that a worker may use; a folder includes everything below it. Paths need not exist. */
export interface Grants {
  read: string[]
  /** May be read and executed. */
  execute: string[]
  /** May be read and written, but not created or deleted. */
  devices: string[]
  /** May be read, created, written, renamed and deleted. */
  write: string[]
}

/** Environment variable with the worker's own folder. */
export const WORKER_FOLDER = 'REFILE_WORKER_FOLDER'
/** Environment variable with the files, as JSON, that a worker may read in place. */
export const WORKER_INPUTS = 'REFILE_WORKER_INPUTS'

/** Subfolders of a worker's folder: read-only inputs of its tasks, and what the tasks write. */
export const inputsOf = (folder: string): string => join(folder, 'in')
export const workOf = (folder: string): string => join(folder, 'work')

/** Programs, libraries and their data. */
const PROGRAMS: Partial<Record<NodeJS.Platform, string[]>> = {
  linux: [
    ...['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/opt'],
    ...['/nix/store', '/gnu/store', '/home/linuxbrew/.linuxbrew'],
  ],
  darwin: ['/opt/homebrew', '/usr/local'],
}

/** System information that programs look up; none of it is private. */
const SYSTEM: Partial<Record<NodeJS.Platform, string[]>> = {
  linux: [
    ...['fonts', 'ld.so.cache', 'ld.so.preload', 'localtime', 'nsswitch.conf', 'passwd', 'timezone'].map(
      name => `/etc/${name}`,
    ),
    ...['self', 'cpuinfo', 'filesystems', 'meminfo', 'stat', 'version', 'sys/vm/overcommit_memory'].map(
      name => `/proc/${name}`,
    ),
    ...['/sys/devices/system/cpu', '/sys/devices/system/node', '/sys/fs/cgroup', '/var/cache/fontconfig'],
  ],
}

const DEVICES: Partial<Record<NodeJS.Platform, string[]>> = {
  linux: ['/dev/null', '/dev/zero', '/dev/full', '/dev/random', '/dev/urandom'],
  darwin: ['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom', '/dev/dtracehelper'],
}

/** Linux's graphics cards; as an input of a process, it grants what draws and encodes on them, and none of what they show. */
export const CARDS = '/dev/dri'

/** The person's own fonts and font settings. */
const FONTS: Partial<Record<NodeJS.Platform, string[]>> = {
  linux: ['.local/share/fonts', '.fonts', '.fonts.conf', '.config/fontconfig', '.cache/fontconfig'],
  darwin: ['Library/Fonts'],
}

/**
 * What a worker needs, from its environment: the code with its packages and resources, the system's libraries and fonts, the
 * person's fonts, speech models, and its own folder. Not the home folder, other workers' folders, the database or the keys.
 * @param code folder of the running scripts
 */
export function grantsFor(
  env: NodeJS.ProcessEnv,
  code = codeFolder(),
  platform: NodeJS.Platform = process.platform,
): Grants {
  const { HOME, NODE_COMPILE_CACHE, REFILE_FFMPEG, REFILE_MODELS, REFILE_RESOURCES } = env
  const own = env[WORKER_FOLDER]
  const inputs: string[] = JSON.parse(env[WORKER_INPUTS] ?? '[]')
  const cards = inputs.includes(CARDS) && existsSync(CARDS) ? readdirSync(CARDS) : []
  const renderNodes = cards.filter(name => name.startsWith('renderD'))
  const found = (REFILE_MODELS ?? '').split(delimiter)
  const above = (name: string) =>
    ancestors(code)
      .map(folder => join(folder, name))
      .find(path => existsSync(path))
  const resources = above(join('resources', 'fonts'))
  const folders = [REFILE_FFMPEG && dirname(REFILE_FFMPEG), ...(env.PATH ?? '').split(delimiter)]
  const programs = folders.flatMap(folder =>
    folder ? ['ffmpeg', 'ffprobe'].map(name => join(folder, name)) : [],
  )
  return {
    read: real([
      code,
      above('package.json'),
      resources && dirname(resources),
      ...[REFILE_RESOURCES, ...withLinks(found), ...inputs, NODE_COMPILE_CACHE, own && inputsOf(own)],
      ...(SYSTEM[platform] ?? []),
      ...renderNodes.map(name => `/sys/class/drm/${name}/device`),
      ...(HOME ? withLinks((FONTS[platform] ?? []).map(name => join(HOME, name))) : []),
    ]),
    execute: real([
      ...ancestors(code).map(folder => join(folder, 'node_modules')),
      ...runtime(),
      ...(PROGRAMS[platform] ?? []),
      ...[REFILE_FFMPEG, REFILE_RESOURCES && join(REFILE_RESOURCES, 'ffmpeg'), ...programs],
    ]),
    devices: real([...(DEVICES[platform] ?? []), ...renderNodes.map(name => join(CARDS, name))]),
    write: real([own && workOf(own), env.REFILE_DUMP]),
  }
}

/** The sources have this file below two folders; a build has all scripts in one folder. */
const codeFolder = () =>
  extname(import.meta.filename) === '.ts' ? dirname(dirname(import.meta.dirname)) : import.meta.dirname

/** The parent folders, up to the root. */
function ancestors(folder: string): string[] {
  const above = dirname(folder)
  return above === folder ? [] : [above, ...ancestors(above)]
}

/** Node is a single file; Electron's files are beside it, on macOS throughout its bundle. */
function runtime(): string[] {
  const { execPath } = process
  if (!process.versions.electron) return [execPath]
  const bundle = execPath.indexOf(`.app${sep}`)
  return [bundle === -1 ? dirname(execPath) : execPath.slice(0, bundle + '.app'.length)]
}

/** The folders, plus the targets of links directly in them: a person may keep models or fonts elsewhere. */
function withLinks(folders: readonly string[]): string[] {
  const linksIn = (folder: string) => {
    try {
      return readdirSync(folder, { withFileTypes: true }).filter(entry => entry.isSymbolicLink())
    } catch {
      return []
    }
  }
  return folders.flatMap(folder => [folder, ...linksIn(folder).map(({ name }) => join(folder, name))])
}

/** The paths that exist, with links resolved and without duplicates. */
const real = (paths: readonly (string | undefined)[]): string[] => [
  ...new Set(paths.flatMap(path => (path && existsSync(path) ? [realpathSync(path)] : []))),
]
