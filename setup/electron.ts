import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { loadConfig } from '../service/shared/config.ts'
import { hasDisplay } from './display.ts'
import { printInfo, root } from './root.mjs'

const folder = join(root, 'node_modules', 'electron')
const failureNote = join(root, 'node_modules', '.cache', 'refile', 'electron-download-failed')
const DAY = 24 * 3600 * 1000
const PROBE_TIMEOUT = 5_000
const DOWNLOAD_TIMEOUT = 10 * 60_000

/** Where the package expects the Electron program, which is downloaded separately. */
function installedBinary(): string | null {
  const pathFile = join(folder, 'path.txt')
  if (!existsSync(pathFile)) return null
  const dist = process.env.ELECTRON_OVERRIDE_DIST_PATH || join(folder, 'dist')
  const binary = join(dist, readFileSync(pathFile, 'utf8'))
  return existsSync(binary) ? binary : null
}

function failedRecently(): boolean {
  return existsSync(failureNote) && Date.now() - statSync(failureNote).mtimeMs < DAY
}

/** Whether the download server of Electron answers at all, so that a dead network is noticed within seconds. */
async function canDownload(): Promise<boolean> {
  const mirror = process.env.ELECTRON_MIRROR || 'https://github.com/electron/electron/releases/'
  try {
    await fetch(mirror, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(PROBE_TIMEOUT) })
    return true
  } catch {
    return false
  }
}

async function download(): Promise<boolean> {
  if (!(await canDownload())) return false
  printInfo('Downloading Electron (about 110 MB), once…')
  const { status } = spawnSync(process.execPath, [join(folder, 'install.js')], {
    stdio: ['ignore', 2, 2],
    timeout: DOWNLOAD_TIMEOUT,
  })
  return status === 0
}

/**
 * Finds the Electron program, and downloads it if it is missing. A failed download is not retried for a day, so that
 * starting stays quick.
 * @returns its path, or the reason why there is none, as a clause
 */
export async function findElectron(): Promise<{ path: string } | { reason: string }> {
  if (!hasDisplay) return { reason: 'there is no display for a window' }
  const installed = installedBinary()
  if (installed) return { path: installed }
  const unavailable = {
    reason: 'Electron is not here and could not be downloaded (npx install-electron downloads it)',
  }
  if (loadConfig().offline || failedRecently()) return unavailable
  if (await download()) {
    rmSync(failureNote, { force: true })
    const downloaded = installedBinary()
    if (downloaded) return { path: downloaded }
  }
  mkdirSync(dirname(failureNote), { recursive: true })
  writeFileSync(failureNote, '')
  return unavailable
}
