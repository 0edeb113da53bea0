/** Contents of archives, as read by libarchive and Python. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from './fixtures/media.ts'
import { output } from './fixtures/programs.ts'

export interface Judged {
  kind: 'file' | 'folder' | 'symlink'
  mode: number
  /** Whole seconds since 1970. */
  seconds: number
  /** SHA-1 of a file's content; hard links have that of their target. */
  sha1: string | null
  /** Target of a symbolic link. */
  target: string
}

const script = `
import tarfile, sys, json, hashlib
def contents(path):
    found = {}
    with tarfile.open(path) as tar:
        for m in tar:
            name = m.name[2:] if m.name.startswith('./') else m.name
            if name in ('', '.'): continue
            kind = 'folder' if m.isdir() else 'symlink' if m.issym() else 'file'
            data = None if kind != 'file' else hashlib.sha1(tar.extractfile(m).read()).hexdigest()
            found[name] = dict(kind=kind, mode=m.mode & 0o7777, seconds=int(m.mtime // 1), sha1=data, target=m.linkname if m.issym() else '')
    return found
print(json.dumps([contents(path) for path in sys.argv[1:]]))
`

function read(paths: readonly string[]): Record<string, Judged>[] {
  const folder = mkdtempSync(join(tmpdir(), 'refile-contents-'))
  const tars = paths.map((path, index) => {
    if (readFileSync(path).toString('latin1', 257, 262) === 'ustar') return path
    const tar = join(folder, `${index}.tar`)
    output('bsdtar', ['--format=pax', '-cf', tar, `@${path}`], {
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    })
    return tar
  })
  // Without what Python reads of the user and of packages, which takes it longer than the archive.
  const answer = output('/usr/bin/python3', ['-IS', '-c', script, ...tars])
  rmSync(folder, { recursive: true })
  return JSON.parse(answer.toString()) as Record<string, Judged>[]
}

/** The members of an archive of any format, by path. */
export const contentsOf = (path: string): Record<string, Judged> =>
  once(path, 'contents', () => read([path])[0]!)

/** Reads several archives for `contentsOf`: Python starts for longer than it reads one. */
export function readContents(paths: readonly string[]): void {
  for (const [index, contents] of read(paths).entries()) once(paths[index]!, 'contents', () => contents)
}
