import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { printInfo } from './root.mjs'

const isDebian =
  process.platform === 'linux' && existsSync('/usr/bin/apt-get') && existsSync('/usr/bin/dpkg-query')

/** Whether packages can be installed here without asking: a Debian machine, as root. */
export const canInstall = isDebian && process.getuid?.() === 0

/** The `packages` that are not installed; all of them if there is no dpkg. */
export function missingPackages(packages: readonly string[]): string[] {
  if (!isDebian || packages.length === 0) return [...packages]
  // Exits with 1 if it does not know a package, and still lists the others.
  const { stdout } = spawnSync(
    'dpkg-query',
    ['-W', '-f', `\${db:Status-Abbrev} \${Package}\n`, ...packages],
    {
      encoding: 'utf8',
    },
  )
  const installed = new Set(
    stdout
      .split('\n')
      .filter(line => line.startsWith('ii'))
      .map(line => line.slice(2).trim()),
  )
  return packages.filter(name => !installed.has(name))
}

/** Installs Debian packages. @returns whether it succeeded */
export function installPackages(packages: readonly string[]): boolean {
  printInfo(`Installing from Debian: ${packages.join(' ')}`)
  const apt = (...args: string[]) =>
    spawnSync('apt-get', ['-qq', '-o', 'Dpkg::Use-Pty=0', ...args], {
      stdio: ['ignore', 2, 2],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0
  // If a mirror is partly unreachable, the update fails although the packages may still be available.
  apt('update')
  return apt('install', '--yes', '--no-install-recommends', ...packages)
}
