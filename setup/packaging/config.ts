import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { languageTags } from '../../service/shared/messages/tags.ts'
import { METAINFO, metainfo } from './appstream.ts'
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
 * How macOS packages are signed. Without a certificate they get a signature of no one ("ad hoc"), which an arm64 Mac demands of
 * every program; as the libraries beside the program then share no team with it, the hardened runtime must not ask for one.
 */
function macSigning(env: NodeJS.ProcessEnv) {
  const isSigned = Boolean(env.CSC_LINK || env.CSC_NAME)
  const entitlements = `resources/entitlements/${isSigned ? 'mac' : 'mac-unsigned'}.plist`
  return {
    ...(isSigned ? {} : { identity: '-' }),
    entitlements,
    entitlementsInherit: entitlements,
  }
}

/**
 * Generates from the catalogue what the systems need to know (file types, menus of file managers, links), and the
 * electron-builder configuration that adds it to electron-builder.yml.
 * @param env names a certificate for macOS, if there is one, by electron-builder's CSC_LINK or CSC_NAME
 * @returns the configuration's path, within the project
 */
export function writePackagingConfig(env: NodeJS.ProcessEnv = process.env): string {
  rmSync(join(root, MADE), { recursive: true, force: true })
  const sources = sourceFormats()
  write('linux/nautilus', nautilusScripts(sources))
  write('linux/kio', dolphinMenus(sources))
  // Installed for all users, where the program is on the PATH.
  write('linux/system-kio', dolphinMenus(sources, 'refile'))
  write('mac/services', quickAction())
  write('linux', [{ path: METAINFO, content: metainfo(sources) }])
  write('windows', [{ path: 'menus.nsh', content: nsisInclude(sources) }])
  const shipped = (folder: string, names: string[]) =>
    names.map(name => ({ from: `${MADE}/${folder}/${name}`, to: `file-manager/${name}` }))
  const config = {
    extends: 'file:electron-builder.yml',
    protocols: [{ name: 'Refile', schemes: ['refile'] }],
    // Texts of Chromium's own dialogs and menus.
    electronLanguages: Object.keys(languageTags),
    mac: {
      ...macSigning(env),
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
    deb: {
      fpm: [
        `${join(root, MADE, 'linux/system-kio')}/=/usr/share/kio/servicemenus`,
        `${join(root, MADE, 'linux', METAINFO)}=/usr/share/metainfo/${METAINFO}`,
      ],
    },
    nsis: { include: `${MADE}/windows/menus.nsh` },
  }
  const path = join(MADE, 'electron-builder.json')
  writeFileSync(join(root, path), JSON.stringify(config, null, 2))
  return path
}
