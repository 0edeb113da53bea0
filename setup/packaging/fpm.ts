#!/usr/bin/env node
/**
 * Makes a Debian package with dpkg-deb alone, from electron-builder's arguments for fpm, which it would otherwise
 * download: https://fpm.readthedocs.io/en/latest/cli-reference.html. Set as CUSTOM_FPM_PATH.
 */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

const settings = new Map<string, string[]>()
const contents: [from: string, to: string][] = []
const args = process.argv.slice(2)
const flags = new Set(['--force'])
for (let arg = args.shift(); arg !== undefined; arg = args.shift()) {
  if (flags.has(arg)) continue
  if (arg.startsWith('-')) settings.set(arg, [...(settings.get(arg) ?? []), args.shift() ?? ''])
  else {
    const cut = arg.lastIndexOf('=')
    contents.push([arg.slice(0, cut), arg.slice(cut + 1)])
  }
}
const first = (name: string): string => settings.get(name)?.[0] ?? ''
const target = first('-t')
if (target !== 'deb') {
  console.error(`Only Debian packages can be made here, not ${target}.`)
  process.exit(2)
}

const root = mkdtempSync(join(tmpdir(), 'refile-deb-'))
try {
  for (const [from, to] of contents) {
    const isFolder = lstatSync(from).isDirectory()
    const place = join(root, to)
    mkdirSync(isFolder ? place : dirname(place), { recursive: true })
    cpSync(from, place, { recursive: true, verbatimSymlinks: true })
  }
  const files = globSync('**/*', { cwd: root, withFileTypes: true })
  let bytes = 0
  for (const entry of files) {
    const path = join(entry.parentPath, entry.name)
    const { mode, size } = lstatSync(path)
    if (entry.isFile()) bytes += size
    // Like any installed file: readable by all, writable only by root.
    if (!entry.isSymbolicLink()) chmodSync(path, entry.isDirectory() || (mode & 0o111) !== 0 ? 0o755 : 0o644)
  }
  const [synopsis = '', ...more] = first('--description').split('\n')
  const control = [
    ['Package', first('--name')],
    ['Version', first('--version')],
    ['Architecture', first('--architecture')],
    ['Maintainer', first('--maintainer')],
    ['Installed-Size', String(Math.ceil(bytes / 1024))],
    ['Depends', (settings.get('-d') ?? []).join(', ')],
    ['Recommends', (settings.get('--deb-recommends') ?? []).join(', ')],
    ['Section', first('--category') || 'utils'],
    ['Priority', first('--deb-priority') || 'optional'],
    ['Homepage', first('--url')],
    [
      'Description',
      [synopsis.trim() || first('--name'), ...more.map(line => ` ${line.trim() || '.'}`)].join('\n'),
    ],
  ].filter(([, value]) => value !== '')
  const debian = join(root, 'DEBIAN')
  mkdirSync(debian, { mode: 0o755 })
  writeFileSync(join(debian, 'control'), control.map(([name, value]) => `${name}: ${value}\n`).join(''))
  const scripts = { '--after-install': 'postinst', '--after-remove': 'postrm' }
  for (const [name, script] of Object.entries(scripts)) {
    if (first(name) === '') continue
    cpSync(first(name), join(debian, script))
    chmodSync(join(debian, script), 0o755)
  }
  chmodSync(root, 0o755)
  const compression = first('--deb-compression') === 'gz' ? 'gzip' : 'xz'
  const made = spawnSync(
    'dpkg-deb',
    ['--root-owner-group', `-Z${compression}`, '--build', root, first('--package')],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  if (made.status !== 0) throw new Error(`dpkg-deb failed on ${basename(first('--package'))}`)
} finally {
  rmSync(root, { recursive: true, force: true })
}
