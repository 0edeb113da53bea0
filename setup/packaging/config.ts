import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { languageTags } from '../../languages/tags.ts'
import packageFile from '../../package.json' with { type: 'json' }
import { libreOfficePackage } from '../../service/shared/model-folders.ts'
import { root } from '../root.mjs'
import { METAINFO, metainfo } from './appstream.ts'
import { appRun, commandLine, debianScript, strippedNode } from './command-line.ts'
import { dolphinMenus, type MenuFile, nautilusScripts } from './linux.ts'
import { sourceFormats } from './sources.ts'
import { nsisInclude } from './windows.ts'

/** Folder of files generated for a package: one for each kind, so that both can be packaged at once. */
const madeFolder = (isComplete: boolean) => (isComplete ? '.package-complete' : '.package')
const CHANGELOG = 'changelog.gz'

/** What changed, in the form of Debian: https://www.debian.org/doc/debian-policy/ch-source.html#debian-changelog-debian-changelog */
function debianChangelog(): string {
  const { name, version, author, homepage } = packageFile
  const day =
    /^## \[[\d.]+\] - (\S+)/m.exec(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'))?.[1] ?? '1970-01-01'
  const date = new Date(day).toUTCString().replace('GMT', '+0000')
  return `${name} (${version}) stable; urgency=medium\n\n  * ${homepage}/releases/tag/v${version}\n\n -- ${author.name} <${author.email}>  ${date}\n`
}

function write(folder: string, files: readonly MenuFile[]): void {
  for (const { path, content } of files) {
    const full = join(root, folder, path)
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
    // Squirrel.Mac takes no update to a build that is signed by no one, so that one does not ask for any.
    ...(isSigned ? {} : { identity: '-', publish: null }),
    entitlements,
    entitlementsInherit: entitlements,
  }
}

/** Left out of small packages, which install themselves and take updates, and which fetch these when they are first needed. */
const FETCHED = [
  `node_modules/${libreOfficePackage.slice(0, 2).join('/')}/wasm`,
  'node_modules/@expo-google-fonts/noto-sans-sc',
]

/**
 * Generates from the catalogue what the systems need to know (file types, menus of file managers, links), and the
 * electron-builder configuration that adds it to electron-builder.yml.
 * @param isComplete whether the packages have what others fetch
 * @param env names a certificate for macOS, if there is one, by electron-builder's CSC_LINK or CSC_NAME
 * @returns the configuration's path, within the project
 */
export function writePackagingConfig(isComplete: boolean, env: NodeJS.ProcessEnv = process.env): string {
  const made = madeFolder(isComplete)
  rmSync(join(root, made), { recursive: true, force: true })
  const sources = sourceFormats()
  write(`${made}/linux/nautilus`, nautilusScripts(sources))
  write(`${made}/linux/kio`, dolphinMenus(sources))
  // Installed for all users.
  write(`${made}/linux/system-kio`, dolphinMenus(sources, '/opt/Refile/refile'))
  const [afterInstall, afterRemove] = (['after-install', 'after-remove'] as const).map(name => {
    write(`${made}/linux`, [{ path: name, content: debianScript(name) }])
    return join(made, 'linux', name)
  })
  write(`${made}/linux`, [{ path: 'AppRun', content: appRun('refile', 'Refile') }])
  write(`${made}/linux`, [{ path: METAINFO, content: metainfo(sources) }])
  write(`${made}/windows`, [{ path: 'menus.nsh', content: nsisInclude(sources) }])
  writeFileSync(join(root, made, CHANGELOG), gzipSync(debianChangelog(), { level: 9 }))
  const shipped = (folder: string, names: string[]) =>
    names.map(name => ({ from: `${made}/${folder}/${name}`, to: `file-manager/${name}` }))
  const config = {
    extends: 'file:electron-builder.yml',
    ...(isComplete
      ? { artifactName: `Refile-${packageFile.version}-\${os}-\${arch}-complete.\${ext}` }
      : { files: FETCHED.map(folder => `!${folder}/**`) }),
    protocols: [{ name: 'Refile', schemes: ['refile'] }],
    // Texts of Chromium's own dialogs and menus.
    electronLanguages: Object.keys(languageTags),
    mac: {
      ...macSigning(env),
      ...(isComplete && { target: 'dmg' }),
      fileAssociations: sources.map(({ label, suffixes }) => ({
        name: label,
        role: 'Viewer',
        rank: 'Alternate',
        ext: suffixes,
      })),
      // A Quick Action of Finder: a workflow of Automator, within ~/Library/Services, which passes the selected files to the app.
      extraResources: [{ from: 'resources/services', to: 'file-manager/services' }, ...commandLine('refile')],
    },
    linux: {
      ...(isComplete && { target: 'tar.gz' }),
      mimeTypes: [...new Set(sources.map(({ mime }) => mime))].toSorted(),
      extraResources: [
        ...shipped('linux', ['nautilus', 'kio']),
        ...commandLine('refile', strippedNode(join(root, made, 'linux', 'node'))),
      ],
      extraFiles: [{ from: `${made}/linux/AppRun`, to: 'AppRun' }],
    },
    win: { ...(isComplete && { target: 'portable' }), extraResources: commandLine('refile.cmd') },
    deb: {
      // electron-builder's own list, and what the Node of the command line is linked with.
      depends: [
        ...['libgtk-3-0', 'libnotify4', 'libnss3', 'libxss1', 'libxtst6', 'xdg-utils', 'libatspi2.0-0'],
        ...['libuuid1', 'libsecret-1-0', 'libc6 (>= 2.28)', 'libstdc++6'],
      ],
      afterInstall,
      afterRemove,
      fpm: [
        `${join(root, made, 'linux/system-kio')}/=/usr/share/kio/servicemenus`,
        `${join(root, made, 'linux', METAINFO)}=/usr/share/metainfo/${METAINFO}`,
        `${join(root, 'LICENSE')}=/usr/share/doc/refile/copyright`,
        `${join(root, made, CHANGELOG)}=/usr/share/doc/refile/changelog.gz`,
      ],
    },
    nsis: { include: `${made}/windows/menus.nsh` },
  }
  const path = join(made, 'electron-builder.json')
  writeFileSync(join(root, path), JSON.stringify(config, null, 2))
  return path
}
