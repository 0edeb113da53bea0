import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, say } from './root.mjs'

/**
 * @typedef {{ version?: string, optional?: boolean, inBundle?: boolean }} LockedPackage
 * @typedef {Record<string, LockedPackage>} Packages packages by their folder, as in a lockfile
 */

/**
 * @param {string} file
 * @returns {Packages | null} null when there is no such lockfile, or it is cut off
 */
function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? null
  } catch {
    return null
  }
}

/**
 * Whether what is installed is what the lockfile asks for. npm writes `.package-lock.json` into node_modules as
 * the last step of every install, so no stamp of our own is needed. Optional packages may be missing (other
 * platforms, downloads that failed) but not have another version.
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

/** Installs the packages of the lockfile when they are missing or the lockfile has changed. */
export function ensureDependencies() {
  const wanted = readPackages(join(root, 'package-lock.json'))
  if (!wanted) throw new Error('package-lock.json is missing or damaged. Check the repository out again.')
  const present = readPackages(join(root, 'node_modules', '.package-lock.json'))
  if (isInstalled(wanted, present)) return

  say(present ? 'Updating packages…' : 'Installing packages; this takes a minute, once…')
  // Not `ci`: that empties node_modules first, which breaks whatever runs from it, on Windows the Node that runs this.
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
