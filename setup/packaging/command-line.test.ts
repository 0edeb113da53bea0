import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isForWindow } from '../../cli/window.ts'
import { testFull } from '../../testing/describe-full.ts'
import { root } from '../root.mjs'
import { appRun } from './command-line.ts'

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

testFull('an AppImage starts its command line by one word, and its window without', () => {
  const app = mkdtempSync(join(tmpdir(), 'refile AppDir '))
  onTestFinished(() => rmSync(app, { recursive: true }))
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(app, path)), { recursive: true })
    writeFileSync(join(app, path), text, { mode: 0o755 })
  }
  write('AppRun', appRun('refile', 'Refile'))
  write('refile', '#!/bin/sh\necho window\n')
  write('resources/cli/refile', '#!/bin/sh\necho "$# $1 $2, window: $REFILE_WINDOW"\n')
  const started = (...args: string[]) =>
    execFileSync(join(app, 'AppRun'), args, {
      encoding: 'utf8',
      env: { ...process.env, REFILE_WINDOW: 'usual' },
    })
  expect(started('--cli', 'convert', 'a b.png')).toBe('2 convert a b.png, window: \n')
  expect(started('a b.png')).toBe('window\n')
})

test.each([
  [[], true],
  [[import.meta.filename, 'b.png'], true],
  [['refile://open/history'], true],
  [['convert', import.meta.filename], false],
  [['--help'], false],
  [['no-command'], false],
])('%j is for the window: %s', (args, isIt) => {
  const screen = { DISPLAY: ':0' }
  expect(isForWindow(args, ['convert'], screen)).toBe(isIt)
  if (args.length === 0) expect(isForWindow(args, ['convert'], {}, 'linux')).toBe(false)
})
