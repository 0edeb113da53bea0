import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.mjs'

/**
 * Path of a Node that can run Refile: this one if it is 24 or newer, otherwise the one npm installed with the packages.
 * npm has no such package for macOS and Windows on ARM.
 * @throws {Error} that says what to do
 */
export function node24() {
  if (Number.parseInt(process.versions.node, 10) >= 24) return process.execPath
  const windows = process.platform === 'win32'
  const name = `node-${windows ? 'win' : process.platform}-${process.arch}`
  const packaged = join(root, 'node_modules', name, 'bin', windows ? 'node.exe' : 'node')
  if (existsSync(packaged)) return packaged
  throw new Error(
    `Refile needs Node 24, this is ${process.version}, and npm has none for ${process.platform}-${process.arch}. ` +
      'Install it from https://nodejs.org (or `nvm install`) and run this again.',
  )
}
