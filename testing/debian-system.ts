import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** What the scripts of our packages call, and the shell that runs them. */
const PROGRAMS = ['bash', 'chmod', 'ln', 'readlink', 'rm', 'update-alternatives']

/**
 * A system in a folder with a dpkg of its own: packages are installed, updated and removed with their scripts, which run in that
 * folder as their root and reach nothing outside. Only root may do that.
 */
export class DebianSystem {
  readonly #root: string

  constructor(root: string) {
    this.#root = root
    for (const folder of [
      'var/lib/dpkg/info',
      'var/lib/dpkg/updates',
      'var/lib/dpkg/alternatives',
      'etc/alternatives',
      'usr/bin',
      'dev',
      'root',
    ])
      mkdirSync(join(root, folder), { recursive: true })
    for (const list of ['status', 'available']) writeFileSync(join(root, 'var/lib/dpkg', list), '')
    writeFileSync(join(root, 'dev/null'), '')
    for (const name of PROGRAMS) {
      const program = execFileSync('which', [name], { encoding: 'utf8' }).trim()
      this.#copy(program, `/usr/bin/${name}`)
      const libraries = execFileSync('ldd', [program], { encoding: 'utf8' })
      for (const [library] of libraries.matchAll(/\/\S+(?= \()/g)) this.#copy(library, library)
    }
    this.#copy('/bin/bash', '/bin/bash')
  }

  #copy(from: string, to: string): void {
    const place = join(this.#root, to)
    if (existsSync(place)) return
    mkdirSync(dirname(place), { recursive: true })
    copyFileSync(from, place)
  }

  #dpkg(...args: string[]): string {
    // What the package depends on is not here, and neither is what it depends on for starting its window.
    const settings = [`--root=${this.#root}`, '--force-depends', '--log=/dev/null']
    return execFileSync('dpkg', [...settings, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
    })
  }

  /** Where a path of this system is on the machine. */
  path(...parts: string[]): string {
    return join(this.#root, ...parts)
  }

  /** Installs a package, over an installed version if there is one. */
  install(deb: string): void {
    this.#dpkg('--install', deb)
  }

  remove(name: string): void {
    this.#dpkg('--remove', name)
  }

  /** The version of an installed package. */
  version(name: string): string {
    const fields = ['--show', `--showformat=$\{Version}`, name]
    return execFileSync('dpkg-query', [`--admindir=${this.path('var/lib/dpkg')}`, ...fields], {
      encoding: 'utf8',
    })
  }
}
