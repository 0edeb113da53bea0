import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { testFull } from '../../testing/describe-full.ts'
import { few } from '../../testing/fixtures/full.ts'

const run = promisify(execFile)

/** Nobody, where the tests run as root, whom no mode keeps out. */
const asUser = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** Empties the folder `workers` in a process of an ordinary user. @returns the errors' codes */
async function emptied(home: string): Promise<string[]> {
  const module = await readFile(join(import.meta.dirname, 'empty-folders.ts'), 'utf8')
  const tree = await readFile(join(import.meta.dirname, '../shared/remove-tree.ts'), 'utf8')
  // That user may not read the sources.
  await mkdir(join(home, 'host'))
  await mkdir(join(home, 'shared'))
  await writeFile(join(home, 'host', 'module.mts'), module)
  await writeFile(join(home, 'shared', 'remove-tree.ts'), tree)
  const script = `const { emptyFolders } = await import(${JSON.stringify(join(home, 'host', 'module.mts'))})
    const codes = []
    await emptyFolders(process.argv[1], ['workers'], error => codes.push(error.code))
    console.log(JSON.stringify(codes))`
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script, home], {
    ...asUser,
    cwd: home,
    env: { PATH: process.env.PATH },
  })
  return JSON.parse(stdout)
}

async function homeWith(script: string): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'refile-empty-'))
  onTestFinished(async () => void (await run('sh', ['-c', 'chmod -R u+rwx "$0"; rm -rf "$0"', home])))
  await chmod(home, 0o777)
  await run('sh', ['-c', `umask 022; cd "$0" && mkdir workers && cd workers && ${script}`, home], asUser)
  return home
}

test.runIf(process.platform !== 'win32').each(
  few(1, [
    [
      'folders that cannot be read or changed',
      'mkdir -p a/b/c && echo text > a/b/c/file && chmod 0 a/b/c a/b && chmod 500 a',
    ],
    [
      'a path longer than the system accepts',
      `for n in $(seq 30); do mkdir ${'n'.repeat(200)} && cd ${'n'.repeat(200)}; done; echo text > file`,
    ],
    [
      'a link to a folder elsewhere',
      'mkdir ../kept && touch ../kept/file && mkdir a && ln -s ../../kept a/link && chmod 0 a',
    ],
  ]),
)('%s is left by a worker and deleted', async (_, script) => {
  const home = await homeWith(script)
  expect(await emptied(home)).toEqual([])
  expect(await readdir(join(home, 'workers'))).toEqual([])
  expect(await readdir(home)).not.toContain('leftover')
  if (script.includes('kept')) expect(await readdir(join(home, 'kept'))).toEqual(['file'])
})

if (process.getuid?.() === 0)
  testFull('what cannot be deleted keeps nothing from starting', async () => {
    const home = await homeWith('mkdir a')
    await run('sh', [
      '-c',
      'mkdir "$0/workers/a/b" && touch "$0/workers/a/b/file" && chmod 700 "$0/workers/a/b"',
      home,
    ])
    expect(await emptied(home)).toHaveLength(1)
    expect(await readdir(join(home, 'workers'))).toEqual([])
    expect(await readdir(join(home, 'leftover'))).not.toEqual([])
  })
