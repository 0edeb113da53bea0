import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { dolphinMenus, type MenuFile, nautilusScripts } from './linux.ts'
import { quickAction } from './mac.ts'
import { sourceFormats } from './sources.ts'
import { nsisInclude } from './windows.ts'

const root = join(import.meta.dirname, '..', '..')
/** Folder of files generated for each package. */
const MADE = '.package'

function write(folder: string, files: readonly MenuFile[]): void {
  for (const { path, content } of files) {
    const full = join(root, MADE, folder, path)
    mkdirSync(dirname(full), { recursive: true })
    writeFileSync(full, content, { mode: 0o755 })
  }
}

/**
 * Generates from the catalogue what the systems need to know (file types, menus of file managers, links), and the
 * electron-builder configuration that adds it to electron-builder.yml.
 * @returns the configuration's path, within the project
 */
export function writePackagingConfig(): string {
  rmSync(join(root, MADE), { recursive: true, force: true })
  const sources = sourceFormats()
  write('linux/nautilus', nautilusScripts(sources))
  write('linux/kio', dolphinMenus(sources))
  // Installed for all users, where the program is on the PATH.
  write('linux/system-kio', dolphinMenus(sources, 'refile'))
  write('mac/services', quickAction())
  write('windows', [{ path: 'menus.nsh', content: nsisInclude(sources) }])
  const shipped = (folder: string, names: string[]) =>
    names.map(name => ({ from: `${MADE}/${folder}/${name}`, to: `file-manager/${name}` }))
  const config = {
    extends: 'file:electron-builder.yml',
    protocols: [{ name: 'Refile', schemes: ['refile'] }],
    mac: {
      fileAssociations: sources.map(({ label, suffixes }) => ({
        name: label,
        role: 'Viewer',
        rank: 'Alternate',
        ext: suffixes,
      })),
      extraResources: shipped('mac', ['services']),
    },
    linux: {
      mimeTypes: [...new Set(sources.map(({ mime }) => mime))].toSorted(),
      extraResources: shipped('linux', ['nautilus', 'kio']),
    },
    deb: { fpm: [`${join(root, MADE, 'linux/system-kio')}/=/usr/share/kio/servicemenus`] },
    nsis: { include: `${MADE}/windows/menus.nsh` },
  }
  const path = join(MADE, 'electron-builder.json')
  writeFileSync(join(root, path), JSON.stringify(config, null, 2))
  return path
}
