import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { stringify } from 'yaml'
import { description, homepage, license, out, step, version } from './step.ts'
import { parseSums } from './sums.ts'

/**
 * Manifests of package managers, from the sums of a release:
 * winget https://github.com/microsoft/winget-cli/tree/master/schemas, casks https://docs.brew.sh/Cask-Cookbook, Scoop
 * https://github.com/ScoopInstaller/Scoop/wiki/App-Manifests, AUR https://wiki.archlinux.org/title/PKGBUILD, Flatpak
 * https://docs.flatpak.org/en/latest/manifests.html
 */

interface Download {
  url: string
  sha256: string
}

type Find = (suffix: string) => Download

const PUBLISHER = 'The Refile developers'
const WINGET = '1.10.0'
const FLATPAK = 'io.github.refile'

function winget(version: string, find: Find): Record<string, string> {
  const common = { PackageIdentifier: 'Refile.Refile', PackageVersion: version }
  const file = (type: string, fields: object) => {
    const manifest = { ...common, ...fields, ManifestType: type, ManifestVersion: WINGET }
    const schema = `https://aka.ms/winget-manifest.${type}.${WINGET}.schema.json`
    return `# yaml-language-server: $schema=${schema}\n${stringify(manifest)}`
  }
  const installers = ['x64', 'arm64'].map(arch => {
    const { url, sha256 } = find(`win-${arch}.exe`)
    return { Architecture: arch, InstallerUrl: url, InstallerSha256: sha256.toUpperCase() }
  })
  return {
    'winget/Refile.Refile.yaml': file('version', { DefaultLocale: 'en-US' }),
    'winget/Refile.Refile.installer.yaml': file('installer', {
      InstallerType: 'nullsoft',
      Scope: 'user',
      UpgradeBehavior: 'install',
      Protocols: ['refile'],
      Commands: ['refile'],
      Installers: installers,
    }),
    'winget/Refile.Refile.locale.en-US.yaml': file('defaultLocale', {
      PackageLocale: 'en-US',
      Publisher: PUBLISHER,
      PackageName: 'Refile',
      PackageUrl: homepage,
      License: license,
      LicenseUrl: `${homepage}/blob/v${version}/LICENSE`,
      ShortDescription: description,
      ReleaseNotesUrl: `${homepage}/releases/tag/v${version}`,
    }),
  }
}

function homebrew(version: string, find: Find): string {
  const [arm, intel] = [find('mac-arm64.dmg'), find('mac-x64.dmg')]
  const url = arm.url.replaceAll(version, '#{version}').replace('arm64', '#{arch}')
  return `cask "refile" do
  arch arm: "arm64", intel: "x64"

  version "${version}"
  sha256 arm:   "${arm.sha256}",
         intel: "${intel.sha256}"

  url "${url}"
  name "Refile"
  desc "${description.replace(/\.$/, '')}"
  homepage "${homepage}"

  auto_updates true
  depends_on macos: ">= :ventura"

  app "Refile.app"
  binary "#{appdir}/Refile.app/Contents/Resources/cli/refile"

  zap trash: [
    "~/Library/Application Support/Refile",
    "~/Library/Saved Application State/io.github.refile.savedState",
  ]
end
`
}

function scoop(version: string, find: Find): string {
  const architecture = (arch: string, archive: string) => {
    const { url, sha256 } = find(`win-${arch}.exe`)
    return {
      // An installer of NSIS is an archive, with the app as another one inside.
      url: `${url}#/dl.7z`,
      hash: sha256,
      pre_install: [
        `Expand-7zipArchive "$dir\\\`$PLUGINSDIR\\${archive}" "$dir"`,
        `Remove-Item "$dir\\\`$PLUGINSDIR", "$dir\\Uninstall*" -Recurse -Force`,
      ],
    }
  }
  const manifest = {
    version,
    description,
    homepage,
    license,
    architecture: {
      '64bit': architecture('x64', 'app-64.7z'),
      arm64: architecture('arm64', 'app-arm64.7z'),
    },
    bin: [['resources\\cli\\refile.cmd', 'refile']],
    shortcuts: [['Refile.exe', 'Refile']],
    checkver: { github: homepage },
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}

function aur(version: string, find: Find): string {
  const [x64, arm64] = [find('linux-amd64.deb'), find('linux-arm64.deb')]
  return `# Maintainer: ${PUBLISHER}
pkgname=refile-bin
pkgver=${version}
pkgrel=1
pkgdesc="${description}"
arch=(x86_64 aarch64)
url="${homepage}"
license=(${license})
depends=(gtk3 nss alsa-lib libnotify libsecret)
provides=(refile)
conflicts=(refile)
options=(!strip !debug)
source_x86_64=("${x64.url}")
source_aarch64=("${arm64.url}")
sha256sums_x86_64=("${x64.sha256}")
sha256sums_aarch64=("${arm64.sha256}")

package() {
  bsdtar -xf data.tar.* -C "$pkgdir"
  install -d "$pkgdir/usr/bin"
  ln -s /opt/Refile/resources/cli/refile "$pkgdir/usr/bin/refile"
}
`
}

function flatpak(version: string, find: Find): string {
  const archive = (arch: string, suffix: string) => {
    const { url, sha256 } = find(suffix)
    return { type: 'archive', 'only-arches': [arch], url, sha256 }
  }
  return stringify({
    id: FLATPAK,
    branch: version,
    runtime: 'org.freedesktop.Platform',
    'runtime-version': '25.08',
    sdk: 'org.freedesktop.Sdk',
    base: 'org.electronjs.Electron2.BaseApp',
    'base-version': '25.08',
    command: 'refile',
    'finish-args': [
      '--share=ipc',
      '--share=network',
      '--socket=wayland',
      '--socket=fallback-x11',
      '--device=dri',
    ],
    modules: [
      {
        name: 'refile',
        buildsystem: 'simple',
        'build-commands': [
          'cp -r . /app/refile',
          'install -D refile.sh /app/bin/refile',
          'install -D refile-cli.sh /app/bin/refile-cli',
          `install -D resources/icons/linux/256x256.png /app/share/icons/hicolor/256x256/apps/${FLATPAK}.png`,
        ],
        sources: [
          archive('x86_64', 'linux-x64-complete.tar.gz'),
          archive('aarch64', 'linux-arm64-complete.tar.gz'),
          {
            type: 'script',
            'dest-filename': 'refile.sh',
            commands: ['exec zypak-wrapper /app/refile/refile "$@"'],
          },
          {
            type: 'script',
            'dest-filename': 'refile-cli.sh',
            commands: ['REFILE_WINDOW= exec /app/refile/resources/cli/refile "$@"'],
          },
        ],
      },
    ],
  })
}

/**
 * Manifests of package managers by their path.
 * @param sums text of SHA256SUMS
 * @throws Error naming a package that the release lacks
 */
export function manifestsOf(version: string, sums: string): Record<string, string> {
  const known = parseSums(sums)
  const find: Find = suffix => {
    const name = `Refile-${version}-${suffix}`
    const sha256 = known.get(name)
    if (sha256 === undefined) throw new Error(`The release has no ${name}.`)
    return { url: `${homepage}/releases/download/v${version}/${name}`, sha256 }
  }
  return {
    ...winget(version, find),
    'homebrew/refile.rb': homebrew(version, find),
    'scoop/refile.json': scoop(version, find),
    'aur/PKGBUILD': aur(version, find),
    [`flatpak/${FLATPAK}.yml`]: flatpak(version, find),
  }
}

if (import.meta.main)
  await step(() => {
    const found = manifestsOf(version, readFileSync(join(out, 'SHA256SUMS'), 'utf8'))
    for (const [path, text] of Object.entries(found)) {
      const file = join(out, 'manifests', path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    }
  })
