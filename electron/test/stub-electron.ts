import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Marks the position of the fuses in Electron's program; see https://www.electronjs.org/docs/latest/tutorial/fuses. */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'

/** The fuses of version 1 in byte order, as in Electron 45. */
const FUSES = [
  'runAsNode',
  'cookieEncryption',
  'nodeOptions',
  'nodeCliInspect',
  'embeddedAsarIntegrityValidation',
  'onlyLoadAppFromAsar',
  'loadBrowserProcessSpecificV8Snapshot',
  'grantFileProtocolExtraPrivileges',
  'wasmTrapHandlers',
] as const

/**
 * Writes what electron-builder accepts as an unpacked Electron for Linux, so that packaging can be tested without
 * downloading one: a program with all fuses on, and the folders beside it.
 */
export function writeStubElectron(folder: string): void {
  for (const name of ['resources', 'locales']) mkdirSync(join(folder, name), { recursive: true })
  for (const name of ['en-US', 'ar', 'de', 'es', 'es-419', 'fr', 'ja', 'pl'])
    writeFileSync(join(folder, 'locales', `${name}.pak`), '')
  for (const name of ['LICENSE', 'LICENSES.chromium.html']) writeFileSync(join(folder, name), '')
  const wire = `${SENTINEL}\u0001${String.fromCharCode(FUSES.length)}${'1'.repeat(FUSES.length)}`
  writeFileSync(join(folder, 'electron'), `not a program ${wire} at all`, { mode: 0o755 })
}

/** Reads the fuses of a program. */
export function readFuses(program: Buffer): Record<string, boolean> {
  const start = program.indexOf(SENTINEL) + SENTINEL.length
  const [version, length] = program.subarray(start, start + 2)
  if (version !== 1 || length === undefined) throw new Error('no fuses of version 1')
  const wire = program.toString('latin1', start + 2, start + 2 + length)
  return Object.fromEntries(FUSES.map((name, index) => [name, wire[index] === '1']))
}

/** What an AppImage begins with. */
export const RUNTIME = '\u007fELF in place of the static runtime'.padEnd(4096)

/** Makes electron-builder's toolset for AppImages of Debian's programs and a stand-in for the runtime, which would be downloaded. */
export function appImageTools(folder: string): string {
  const tools = join(folder, 'appimage-tools')
  for (const name of ['runtimes', `lib/${process.arch}`]) mkdirSync(join(tools, name), { recursive: true })
  for (const name of ['mksquashfs', 'desktop-file-validate'])
    symlinkSync(`/usr/bin/${name}`, join(tools, name))
  writeFileSync(join(tools, 'runtimes', `runtime-${process.arch}`), RUNTIME)
  return tools
}
