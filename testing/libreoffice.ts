/** Debian's LibreOffice, a program apart from the one in Refile, to make files for tests and to judge results. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, parse } from 'node:path'
import { tool } from './fixtures/media.ts'

/**
 * Has it save files in another format, all in one start, which takes a second or more.
 * @param format suffix of the format, maybe with a filter, as in `txt:Text`
 * @param paths of files that all have names of their own
 * @returns the new files, in a folder of their own
 */
export function savedByLibreOffice(format: string, paths: readonly string[], ...options: string[]): string[] {
  if (paths.length === 0) return []
  const folder = mkdtempSync(join(tmpdir(), 'refile-libreoffice-'))
  // Processes that share a profile do not run beside each other.
  const profile = `-env:UserInstallation=file://${folder}/profile`
  tool('soffice', profile, '--headless', ...options, '--convert-to', format, '--outdir', folder, ...paths)
  return paths.map(path => join(folder, `${parse(path).name}.${format.replace(/:.*/, '')}`))
}

/** The text that it reads in each file. */
export const UTF8_TEXT = 'txt:Text (encoded):UTF8'
