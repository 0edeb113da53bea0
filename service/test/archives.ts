/** Contents of archives, as read by libarchive and Python. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

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
export function contentsOf(path: string): Record<string, Judged> {
  const isTar = readFileSync(path).toString('latin1', 257, 262) === 'ustar'
  const tar = isTar
    ? readFileSync(path)
    : execFileSync('bsdtar', ['--format=pax', '-cf', '-', `@${path}`], {
        maxBuffer: 1 << 30,
        env: { ...process.env, LC_ALL: 'C.UTF-8' },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
  const answer = execFileSync('/usr/bin/python3', ['-c', script], { input: tar, maxBuffer: 1 << 28 })
  return JSON.parse(answer.toString()) as Record<string, Judged>
}
