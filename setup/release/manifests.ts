import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../root.mjs'
import { description, homepage, license, out, step, version } from './step.ts'
import { parseSums } from './sums.ts'

/**
 * Manifests of package managers, each written as its manager wants it, with gaps such as `<version>` and `<sha256 win-x64.exe>`:
 * winget https://github.com/microsoft/winget-cli/tree/master/schemas, casks https://docs.brew.sh/Cask-Cookbook, Scoop
 * https://github.com/ScoopInstaller/Scoop/wiki/App-Manifests, AUR https://wiki.archlinux.org/title/PKGBUILD, Flatpak
 * https://docs.flatpak.org/en/latest/manifests.html
 */
const folder = join(root, 'setup', 'release', 'manifests')

/**
 * Manifests by their path, filled in.
 * @param sums text of SHA256SUMS
 * @throws Error naming a package that the release lacks
 */
export function manifestsOf(version: string, sums: string): Record<string, string> {
  const known = parseSums(sums)
  const values = new Map(
    Object.entries({ version, homepage, license, description: description.replace(/\.$/, '') }),
  )
  const fill = (gap: string, name: string, suffix?: string): string => {
    if (suffix === undefined) return values.get(name) ?? gap
    const file = `Refile-${version}-${suffix}`
    const sha256 = known.get(file)
    if (sha256 === undefined) throw new Error(`The release has no ${file}.`)
    return name === 'sha256' ? sha256 : `${homepage}/releases/download/v${version}/${file}`
  }
  const paths = globSync('*/*', { cwd: folder }).map(path => path.replaceAll('\\', '/'))
  return Object.fromEntries(
    paths.map(path => {
      const text = readFileSync(join(folder, path), 'utf8')
      return [path, text.replace(/<(\w+)(?: ([^\s>]+))?>/g, fill)]
    }),
  )
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
