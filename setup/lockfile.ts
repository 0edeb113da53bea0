import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, say } from './root.mjs'

/**
 * Completes package-lock.json. npm leaves out the optional platform packages a registry does not carry, and then
 * `npm ci` refuses the lockfile it wrote itself. Their versions are exact in the packages that want them, and what
 * else an entry needs (`os`, `cpu`, `libc`: where to skip it) their names tell.
 */

interface LockedPackage {
  version?: string
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

/** @param name such as `@oxlint/binding-linux-x64-musl`; null when it does not tell its platform */
function platformOf(name: string): Pick<LockedPackage, 'os' | 'cpu' | 'libc'> | null {
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

/** Entries of the platform packages that others want and `lock` lacks, by folder. */
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

if (import.meta.main) {
  const path = join(root, 'package-lock.json')
  const lock = JSON.parse(readFileSync(path, 'utf8')) as Lockfile
  const missing = missingEntries(lock)
  lock.packages = Object.fromEntries(
    Object.entries({ ...lock.packages, ...missing }).toSorted(([a], [b]) => a.localeCompare(b, 'en')),
  )
  writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`)
  say(`${Object.keys(missing).length} platform packages added to package-lock.json.`)
}
