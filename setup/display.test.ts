import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openBrowser } from './display.ts'

const system = Object.getOwnPropertyDescriptor(process, 'platform')!

test.runIf(process.platform === 'linux').for([
  ['linux', 'xdg-open', ''],
  ['darwin', 'open', ''],
  ['win32', 'rundll32', 'url.dll,FileProtocolHandler '],
] as const)('on %s no argument of a program opens the app', async ([platform, program, before]) => {
  Object.defineProperty(process, 'platform', { ...system, value: platform })
  onTestFinished(() => void Object.defineProperty(process, 'platform', system))
  const folder = await mkdtemp(join(tmpdir(), 'refile-test-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const told = join(folder, 'told')
  await writeFile(join(folder, program), `#!/bin/sh\nprintf %s "$*" > ${told}\n`)
  await chmod(join(folder, program), 0o755)
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`)
  const url = 'http://127.0.0.1:7421/open?token=only-once'
  const opened = await openBrowser(url)
  await expect.poll(() => readFile(told, 'utf8').catch(() => '')).toContain(`${before}file:`)
  const file = fileURLToPath((await readFile(told, 'utf8')).slice(before.length))
  expect(await readFile(file, 'utf8')).toContain(`content="0;url=${url}"`)
  expect([(await stat(file)).mode & 0o777, (await stat(join(file, '..'))).mode & 0o777]).toEqual([
    0o600, 0o700,
  ])
  await opened[Symbol.asyncDispose]()
  await expect(stat(file)).rejects.toThrow('ENOENT')
})
