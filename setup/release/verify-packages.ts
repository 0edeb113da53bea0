import { execFileSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../temporary.ts'
import { out, step } from './step.ts'

/** Runs a program of this system that judges a package; its verdict is its exit code. */
const outputOf = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })

const all = (pattern: string): string[] => {
  const files = globSync(pattern, { cwd: out }).map(name => join(out, name))
  if (files.length === 0) throw new Error(`There is no ${pattern} in ${out}.`)
  return files
}

/** Rules of lintian for Debian's own packages, which lie elsewhere and compile everything themselves. */
const ACCEPTED = [
  'dir-or-file-in-opt',
  'binary-from-other-architecture',
  'embedded-library',
  'statically-linked-binary',
  'unstripped-binary-or-object',
]

/** Looks into each Debian package with the tools of Debian. */
export function verifyLinux(debs: readonly string[]): void {
  for (const deb of debs) {
    using folder = temporaryFolder('deb')
    outputOf('dpkg-deb', '-x', deb, folder.path)
    for (const entry of globSync('usr/share/applications/*.desktop', { cwd: folder.path }))
      outputOf('desktop-file-validate', join(folder.path, entry))
    for (const about of globSync('usr/share/metainfo/*.xml', { cwd: folder.path }))
      outputOf('appstreamcli', 'validate', '--no-net', join(folder.path, about))
    outputOf('lintian', '--fail-on=error', '--suppress-tags', ACCEPTED.join(','), deb)
    if (!existsSync(join(folder.path, 'opt', 'Refile', 'refile'))) throw new Error(`${deb} has no program.`)
  }
}

function verifyMac(signed: boolean): void {
  for (const app of globSync('mac*/Refile.app', { cwd: out }).map(name => join(out, name))) {
    outputOf('codesign', '--verify', '--deep', '--strict', app)
    if (!signed) continue
    outputOf('spctl', '--assess', '--type', 'execute', app)
    outputOf('xcrun', 'stapler', 'validate', app)
  }
  for (const image of all('Refile-*.dmg')) outputOf('hdiutil', 'verify', image)
}

function verifyWindows(signed: boolean): void {
  for (const file of all('Refile-*.exe')) {
    const status = outputOf(
      'pwsh',
      '-NoProfile',
      '-Command',
      '(Get-AuthenticodeSignature -LiteralPath $args[0]).Status',
      file,
    ).trim()
    if (status !== (signed ? 'Valid' : 'NotSigned')) throw new Error(`The signature of ${file} is ${status}.`)
  }
}

if (import.meta.main)
  await step(() => {
    if (process.platform === 'darwin') verifyMac(process.env.MAC_SIGNED === 'true')
    else if (process.platform === 'win32') verifyWindows(process.env.WINDOWS_SIGNED === 'true')
    else verifyLinux(all('Refile-*.deb'))
  })
