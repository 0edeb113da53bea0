import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { printInfo, root } from './root.mjs'

/**
 * @typedef {{ version?: string, optional?: boolean, inBundle?: boolean }} LockedPackage
 * @typedef {Record<string, LockedPackage>} Packages packages by their folder, as in a lockfile
 */

/**
 * @param {string} file
 * @returns {Packages | null} null if there is no such lockfile or it is truncated
 */
function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? null
  } catch {
    return null
  }
}

/**
 * Whether the installed packages match the lockfile. npm writes `.package-lock.json` into node_modules as the
 * last step of every install, so we need no stamp of our own. Optional packages may be missing (other
 * platforms, failed downloads) but may not have another version.
 * @param {Packages} wanted
 * @param {Packages | null} present
 */
export function isInstalled(wanted, present) {
  if (!present) return false
  return Object.entries(wanted).every(([folder, locked]) => {
    if (folder === '') return true
    const found = present[folder]
    return found ? found.version === locked.version : locked.optional === true
  })
}

/** Installs the packages of the lockfile if some are missing or the lockfile has changed. */
export function ensureDependencies() {
  const wanted = readPackages(join(root, 'package-lock.json'))
  if (!wanted) throw new Error('package-lock.json is missing or damaged. Check the repository out again.')
  const present = readPackages(join(root, 'node_modules', '.package-lock.json'))
  if (isInstalled(wanted, present)) return

  printInfo(present ? 'Updating packages…' : 'Installing packages; this takes a minute, once…')
  // Not `ci`: it empties node_modules first, which breaks whatever runs from there; on Windows, that includes this Node.
  const args = ['install', '--no-save', '--include=dev', '--include=optional', '--no-audit', '--no-fund']
  args.push('--loglevel=error')
  const { npm_execpath: npm, npm_node_execpath: node } = process.env
  /** @type {import('node:child_process').SpawnSyncOptions} */
  const options = { cwd: root, stdio: ['ignore', 2, 2] }
  const { status } =
    npm && node
      ? spawnSync(node, [npm, ...args], options)
      : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' })
  if (status !== 0) {
    throw new Error(
      'Packages could not be installed; npm says why above. Check the network and run this again.',
    )
  }
}
