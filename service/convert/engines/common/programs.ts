/** Programs that the system has installed. */

import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

/**
 * The environment that programs run in: without proxies, preset folders and anything else of the user's that could
 * influence them, and in English, since their output is read. They allocate as the worker does: in pages of 2 MB ffmpeg decodes a
 * picture of 12 megapixels in two thirds of the processor time.
 */
export function programEnvironment(): NodeJS.ProcessEnv {
  const { PATH, SystemRoot, TEMP, LD_LIBRARY_PATH, DYLD_LIBRARY_PATH, GLIBC_TUNABLES } = process.env
  return { PATH, SystemRoot, TEMP, LD_LIBRARY_PATH, DYLD_LIBRARY_PATH, GLIBC_TUNABLES, LANG: 'C' }
}

/** Whether a program is found through PATH. */
export async function isInstalled(program: string): Promise<boolean> {
  const file = process.platform === 'win32' ? `${program}.exe` : program
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  const found = folders.map(folder => access(join(folder, file), constants.X_OK))
  return (await Promise.allSettled(found)).some(({ status }) => status === 'fulfilled')
}
