/** Programs that the system has installed. */

import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

/**
 * The environment that programs run in: without proxies, preset folders and anything else of the user's that could
 * influence them, and in English, since their output is read.
 */
export function programEnvironment(): NodeJS.ProcessEnv {
  const { PATH, SystemRoot, TEMP, LD_LIBRARY_PATH, DYLD_LIBRARY_PATH } = process.env
  return { PATH, SystemRoot, TEMP, LD_LIBRARY_PATH, DYLD_LIBRARY_PATH, LANG: 'C' }
}

/** Whether a program is found through PATH. */
export async function isInstalled(program: string): Promise<boolean> {
  const file = process.platform === 'win32' ? `${program}.exe` : program
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  const found = folders.map(folder => access(join(folder, file), constants.X_OK))
  return (await Promise.allSettled(found)).some(({ status }) => status === 'fulfilled')
}
