import { basename, dirname, join } from 'node:path'

type Files = typeof import('node:fs/promises')

/** The calls of a disk that ignores the case of names, as those of macOS and Windows do: each is of whatever has the name there. */
export function ignoringCase(files: Files): Partial<Files> {
  const there = async (path: unknown) => {
    const [folder, name] = [dirname(String(path)), basename(String(path))]
    const names = await files.readdir(folder).catch(() => [])
    return join(folder, names.find(each => each.toLowerCase() === name.toLowerCase()) ?? name)
  }
  const first = <Call>(call: Call): Call =>
    (async (path: unknown, ...rest: unknown[]) =>
      (call as (...given: unknown[]) => unknown)(await there(path), ...rest)) as Call
  const both = (call: Files['link']) => async (from: unknown, to: unknown) =>
    call(await there(from), await there(to))
  return {
    ...{ lstat: first(files.lstat), mkdir: first(files.mkdir), open: first(files.open) },
    ...{ realpath: first(files.realpath), stat: first(files.stat), unlink: first(files.unlink) },
    ...{ link: both(files.link), rename: both(files.rename) },
  }
}
