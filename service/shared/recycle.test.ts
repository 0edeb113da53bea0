import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

test.runIf(process.platform === 'linux')('a file goes where file managers find it', async () => {
  const home = await mkdtemp(join(tmpdir(), 'refile-bin-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const path = join(home, 'holiday [1] ü.jpg')
  await mkdir(join(home, 'kept'))
  await Promise.all([writeFile(path, 'a picture'), writeFile(join(home, 'holiday 1 ü.jpg'), 'another')])
  const script = `import { recycle } from '${join(import.meta.dirname, 'recycle.ts')}'; await recycle(process.argv[1])`
  const words = ['--input-type=module', '--eval', script, path]
  const { XDG_DATA_HOME: _, ...env } = process.env
  await promisify(execFile)(process.execPath, words, { env: { ...env, HOME: home } })
  expect((await readdir(home)).filter(name => name.endsWith('.jpg'))).toEqual(['holiday 1 ü.jpg'])
  const bin = join(home, '.local', 'share', 'Trash')
  const [name = ''] = await readdir(join(bin, 'files'))
  expect(await readFile(join(bin, 'files', name), 'utf8')).toBe('a picture')
  // https://specifications.freedesktop.org/trash-spec/latest/
  const info = await readFile(join(bin, 'info', `${name}.trashinfo`), 'utf8')
  expect(decodeURIComponent(/^Path=(.*)$/m.exec(info)?.[1] ?? '')).toBe(path)
})
