import { realpathSync } from 'node:fs'
import { isAbsolute, relative, resolve, sep } from 'node:path'

/** Whether a path is a folder or in it; both without links. */
export const liesWithin = (folder: string, path: string): boolean => {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/** The path without symbolic links and as the disk writes it, as far as it exists. */
export function realPath(path: string): string {
  const whole = resolve(path)
  try {
    return realpathSync.native(whole)
  } catch {
    const parent = resolve(whole, '..')
    return parent === whole ? whole : resolve(realPath(parent), relative(parent, whole))
  }
}
