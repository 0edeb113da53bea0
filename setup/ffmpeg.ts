import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { canInstall, installPackages } from './debian.ts'
import { root, say } from './root.mjs'

const program = process.platform === 'win32' ? 'ffmpeg.exe' : 'ffmpeg'

/** The download of the npm package, which is missing where GitHub could not be reached. */
function staticFfmpeg(): string | null {
  try {
    return createRequire(join(root, 'package.json'))('ffmpeg-static')
  } catch {
    return null
  }
}

/** Looks where the service will look; whether what it finds is good enough is the service's to say. */
export function hasFfmpeg(): boolean {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  const candidates = [
    process.env.REFILE_FFMPEG,
    staticFfmpeg(),
    ...folders.map(folder => join(folder, program)),
  ]
  return candidates.some(path => path && existsSync(path))
}

const advice: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'brew install ffmpeg',
  win32: 'winget install ffmpeg',
  linux: 'sudo apt-get install ffmpeg',
}

/** Audio and video need ffmpeg: installs it on a Debian machine as root, says elsewhere how to get it, and goes on. */
export function ensureFfmpeg(): void {
  if (hasFfmpeg() || (canInstall && installPackages(['ffmpeg']))) return
  say(
    `Audio and video need ffmpeg, which is not here. Get it with:  ${advice[process.platform] ?? advice.linux}`,
  )
}
