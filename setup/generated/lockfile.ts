import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { printInfo, root } from '../root.mjs'

/**
 * Completes package-lock.json. npm leaves out optional platform packages that a registry does not have, and then `npm
 * ci` refuses the lockfile that npm itself wrote. Their exact versions are in the packages that want them, and the
 * other fields of an entry (`os`, `cpu`, `libc`: where to skip it) follow from their names. Their hashes are requested
 * from the registry; where it has none, npm accepts the package unchecked.
 */

interface LockedPackage {
  version?: string
  /** Hash of the package's archive, with which `npm ci` verifies the download. */
  integrity?: string
  dev?: boolean
  license?: string
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optional?: boolean
  optionalDependencies?: Record<string, string>
}

export interface Lockfile {
  packages: Record<string, LockedPackage>
}

const systems = new Set(['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'])
const processors = new Set(['arm', 'arm64', 'ia32', 'ppc64', 'riscv64', 's390x', 'x64'])

/** @param name such as `@oxlint/binding-linux-x64-musl`; null if it does not contain its platform */
function platformOf(name: string): Pick<LockedPackage, 'os' | 'cpu' | 'libc'> | null {
  if (name.endsWith('-wasm32-wasi')) return { cpu: ['wasm32'] }
  const words = name.replace(/^.*\//, '').split('-')
  const os = words.find(word => systems.has(word))
  const cpu = words.find(word => processors.has(word))
  if (!os || !cpu) return null
  const libc = words.some(word => word.startsWith('musl'))
    ? ['musl']
    : words.includes('gnu')
      ? ['glibc']
      : null
  return { os: [os], cpu: [cpu], ...(libc && os === 'linux' && { libc }) }
}

/** Entries of platform packages that others want and `lock` lacks, by folder. */
export function missingEntries({ packages }: Lockfile): Lockfile['packages'] {
  const missing: Lockfile['packages'] = {}
  for (const [folder, { dev, license, optionalDependencies = {} }] of Object.entries(packages)) {
    if (folder === '') continue
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const places = [`node_modules/${name}`, `${folder}/node_modules/${name}`]
      const platform = platformOf(name)
      if (!platform || !/^\d+\.\d+\.\d+$/.test(version) || places.some(place => packages[place])) continue
      missing[`node_modules/${name}`] = { version, ...(dev && { dev }), license, optional: true, ...platform }
    }
  }
  return missing
}

/** Packages from a registry without an integrity hash, by folder. */
export const withoutIntegrity = ({ packages }: Lockfile): [folder: string, locked: LockedPackage][] =>
  Object.entries(packages).filter(
    ([folder, { version, integrity }]) => folder.includes('node_modules/') && version && !integrity,
  )

/**
 * Adds missing integrity hashes.
 * @param ask returns the hash of a package such as `yazl@3.3.1`; undefined if the registry does not have it
 * @returns the packages that remain without one
 */
export async function fillIntegrity(
  lock: Lockfile,
  ask: (wanted: string) => Promise<string | undefined>,
): Promise<string[]> {
  const unknown: string[] = []
  for (const [folder, locked] of withoutIntegrity(lock)) {
    const wanted = `${folder.split('node_modules/').at(-1)}@${locked.version}`
    const integrity = await ask(wanted)
    if (integrity) lock.packages[folder] = { ...locked, integrity }
    else unknown.push(wanted)
  }
  return unknown
}

/** Asks the registry that npm is configured for. */
async function askRegistry(wanted: string): Promise<string | undefined> {
  const npm = process.env.npm_execpath
  if (npm === undefined) throw new Error('Run this by `npm run lockfile`.')
  const args = [npm, 'view', wanted, 'dist.integrity', '--loglevel=silent']
  const answer = await promisify(execFile)(process.execPath, args).catch(() => undefined)
  return answer?.stdout.trim().match(/^sha\d+-\S+$/)?.[0]
}

if (import.meta.main) {
  const path = join(root, 'package-lock.json')
  const lock = JSON.parse(readFileSync(path, 'utf8')) as Lockfile
  const missing = missingEntries(lock)
  lock.packages = Object.fromEntries(
    Object.entries({ ...lock.packages, ...missing }).toSorted(([a], [b]) => a.localeCompare(b, 'en')),
  )
  const unknown = await fillIntegrity(lock, askRegistry)
  writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`)
  printInfo(`${Object.keys(missing).length} platform packages added to package-lock.json.`)
  if (unknown.length > 0) printInfo(`The registry has no hash of ${unknown.join(', ')}.`)
}
