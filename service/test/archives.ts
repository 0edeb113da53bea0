/** Contents of archives, as read by libarchive and Python. */
import { readFileSync } from 'node:fs'
import { once } from '../samples/media.ts'
import { output } from '../samples/programs.ts'

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
import tarfile, sys, json, hashlib, io
found = {}
with tarfile.open(fileobj=io.BytesIO(sys.stdin.buffer.read())) as tar:
    for m in tar:
        name = m.name[2:] if m.name.startswith('./') else m.name
        if name in ('', '.'): continue
        kind = 'folder' if m.isdir() else 'symlink' if m.issym() else 'file'
        data = None if kind != 'file' else hashlib.sha1(tar.extractfile(m).read()).hexdigest()
        found[name] = dict(kind=kind, mode=m.mode & 0o7777, seconds=int(m.mtime // 1), sha1=data, target=m.linkname if m.issym() else '')
print(json.dumps(found))
`

/** The members of an archive of any format, by path. */
export const contentsOf = (path: string): Record<string, Judged> =>
  once(path, 'contents', () => {
    const isTar = readFileSync(path).toString('latin1', 257, 262) === 'ustar'
    const env = { ...process.env, LC_ALL: 'C.UTF-8' }
    const tar = isTar
      ? readFileSync(path)
      : output('bsdtar', ['--format=pax', '-cf', '-', `@${path}`], { env })
    // Without what Python reads of the user and of packages, which takes it longer than the archive.
    const answer = output('/usr/bin/python3', ['-IS', '-c', script], { input: tar })
    return JSON.parse(answer.toString()) as Record<string, Judged>
  })
