import { isAbsolute, relative, sep } from 'node:path'

/** Whether a path is a folder or in it; both without links. */
export const liesWithin = (folder: string, path: string): boolean => {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}
