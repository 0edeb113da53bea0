import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isForWindow } from '../../cli/window.ts'

const root = join(import.meta.dirname, '..', '..')

test('the launcher finds its own Node, the command line and the window through links', () => {
  const app = mkdtempSync(join(tmpdir(), 'refile launcher '))
  onTestFinished(() => rmSync(app, { recursive: true }))
  const place = (...parts: string[]) => join(app, 'resources', ...parts)
  mkdirSync(place('app.asar.unpacked', 'dist', 'cli'), { recursive: true })
  cpSync(join(root, 'resources', 'cli'), place('cli'), { recursive: true })
  symlinkSync(process.execPath, place('cli', 'node'))
  writeFileSync(
    place('app.asar.unpacked', 'dist', 'cli', 'main.js'),
    "console.log(JSON.stringify([process.argv.slice(2), ...['REFILE_WINDOW', 'REFILE_RESOURCES'].map(name => require('fs').realpathSync(process.env[name]))]))",
  )
  writeFileSync(join(app, 'refile'), '')
  symlinkSync(place('cli', 'refile'), join(app, 'on the path'))
  const printed = execFileSync(join(app, 'on the path'), ['convert', 'a b.png'], { encoding: 'utf8' })
  expect(JSON.parse(printed)).toEqual([['convert', 'a b.png'], join(app, 'refile'), place()])
})

test.each([
  [[], true],
  [[import.meta.filename, 'b.png'], true],
  [['refile://open/history'], true],
  [['convert', import.meta.filename], false],
  [['--help'], false],
  [['no-command'], false],
])('%j is for the window: %s', (words, isIt) => {
  const screen = { DISPLAY: ':0' }
  expect(isForWindow(words, ['convert'], screen)).toBe(isIt)
  if (words.length === 0) expect(isForWindow(words, ['convert'], {}, 'linux')).toBe(false)
})
