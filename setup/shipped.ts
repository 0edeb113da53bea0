import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.mjs'

/** Which packages a copy of Refile contains, and under which licences. Read from the lockfile alone. */

interface LockedPackage {
  version: string
  license?: string
  /** Checksum of the package in the registry: an algorithm, a dash, and base64. */
  integrity?: string
  os?: string | string[]
  cpu?: string | string[]
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

export interface Shipped {
  /** Package name; ends in `*` if the package has a variant for each platform. */
  name: string
  versions: string[]
  /** SPDX expressions. */
  licences: string[]
  /** Folder below the root, if the package is installed on every machine. */
  folder: string | null
}

/** Licences of packages that do not state them in the usual place. */
const unstated: Record<string, string> = {
  async: 'MIT',
  'parse-cache-control': 'BSD-3-Clause',
  'png-js': 'MIT',
}

const platform = /-(android|darwin|freebsd|linux|linuxmusl|openharmony|wasm32|webcontainers|win32)(-.*)?$/

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, LockedPackage>
}

/** Folder of the package that `name` refers to inside the package at `from`; undefined if it is not in the lockfile. */
function resolve(name: string, from: string): string | undefined {
  for (let base = from; ; base = base.slice(0, Math.max(0, base.lastIndexOf('node_modules/') - 1))) {
    const folder = base === '' ? `node_modules/${name}` : `${base}/node_modules/${name}`
    if (packages[folder]) return folder
    if (base === '') return undefined
  }
}

const nameOf = (folder: string) => folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)

/** Adds `folder` and its dependencies to `found`: folder → whether it is installed on every machine. */
function collect(folder: string, always: boolean, found: Map<string, boolean>): void {
  if (found.get(folder) || (found.has(folder) && !always)) return
  found.set(folder, always)
  const { dependencies = {}, optionalDependencies = {}, ...rest } = packages[folder] as LockedPackage
  const peers = Object.keys(rest.peerDependencies ?? {}).filter(
    name => !rest.peerDependenciesMeta?.[name]?.optional,
  )
  // TypeScript is a peer of packages that only have types for it, and types are not shipped.
  const names = [...Object.keys(dependencies), ...peers.filter(name => name !== 'typescript')]
  for (const name of names.filter(name => !name.startsWith('@types/') && !optionalDependencies[name])) {
    const target = resolve(name, folder)
    if (target) collect(target, always, found)
  }
  for (const name of Object.keys(optionalDependencies)) {
    const target = resolve(name, folder)
    if (target) collect(target, false, found)
  }
}

/** Packages that the page, the SDK in the command line and the shared texts import, which the build copies into them. */
function pageImports(): string[] {
  const names = new Set<string>()
  const sources = ['renderer/**/*.{ts,tsx}', 'sdk/src/**/*.ts', 'languages/*.ts']
  for (const file of globSync(sources, { cwd: root })) {
    if (file.includes('.test.')) continue
    const text = readFileSync(join(root, file), 'utf8')
    for (const [, name] of text.matchAll(/(?:from|import) '((?:@[\w.-]+\/)?[\w-][\w.-]*)(?:\/[^']*)?'/g)) {
      if (name && resolve(name, '')) names.add(name)
    }
  }
  return [...names]
}

/** Folders of the packages that a copy of Refile contains, and whether they are installed on every machine. */
function shippedFolders(): Map<string, boolean> {
  const found = new Map<string, boolean>()
  const { dependencies = {}, optionalDependencies = {} } = packages[''] as LockedPackage
  for (const name of [...Object.keys(dependencies), ...pageImports()]) {
    if (!optionalDependencies[name]) collect(`node_modules/${name}`, true, found)
  }
  for (const name of Object.keys(optionalDependencies)) {
    // The Node and the ffmpeg that npm brings are for development; packages have their own.
    if (!/^node-|^ffmpeg-static$/.test(name)) collect(`node_modules/${name}`, false, found)
  }
  return found
}

export interface ShippedVersion {
  name: string
  version: string
  /** SPDX expression. */
  licence: string
  /** As in the lockfile. */
  integrity: string | undefined
  /** Folder below the root, if every copy has it, and not those for some platforms only. */
  folder: string | null
}

/** Every version of every package that some copy of Refile contains, for each platform its own. */
export function shippedVersions(): ShippedVersion[] {
  const versions = new Map<string, ShippedVersion>()
  for (const [folder, always] of shippedFolders()) {
    const locked = packages[folder] as LockedPackage
    const { version, integrity } = locked
    const name = nameOf(folder)
    const before = versions.get(`${name}@${version}`)
    const licence = locked.license ?? unstated[name] ?? 'unknown'
    const everywhere = before?.folder ?? (always ? folder : null)
    versions.set(`${name}@${version}`, { name, version, licence, integrity, folder: everywhere })
  }
  return [...versions.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry)
}

/** Every package a copy of Refile contains, by name. */
export function shippedPackages(): Shipped[] {
  const shipped = new Map<string, Shipped>()
  for (const { name: own, version, licence, folder } of shippedVersions()) {
    const name = own.replace(folder ? /$^/ : platform, '-*')
    const entry = shipped.get(name) ?? { name, versions: [], licences: [], folder: null }
    entry.versions = [...new Set([...entry.versions, version])].toSorted()
    entry.licences = [...new Set([...entry.licences, licence])].toSorted()
    entry.folder ??= folder
    shipped.set(name, entry)
  }
  return [...shipped.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
