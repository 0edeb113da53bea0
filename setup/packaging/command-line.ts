import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'

/** Where a package has the command line, relative to its resources. */
const FOLDER = 'cli'

/**
 * The command line of a package: its launcher, and the Node that makes the package, with its licence; the window's program runs no
 * scripts (the fuse runAsNode is off) and has no console on Windows.
 * @param program where the program of Node is, if it is not the one that runs
 * @throws Error if the licence is not where archives of Node have it
 */
export function commandLine(launcher: 'refile' | 'refile.cmd', program?: string) {
  const node = realpathSync(process.execPath)
  const places = [dirname(node), dirname(dirname(node))].map(folder => join(folder, 'LICENSE'))
  const licence = places.find(path => existsSync(path))
  if (!licence)
    throw new Error(`The licence of ${node} is missing. Package with a Node from https://nodejs.org.`)
  return [
    { from: `resources/${FOLDER}/${launcher}`, to: `${FOLDER}/${launcher}` },
    { from: program ?? node, to: `${FOLDER}/${basename(node)}` },
    { from: licence, to: `${FOLDER}/LICENSE-Node` },
  ]
}

/**
 * Writes this Node without its table of symbols, which takes a seventh of the file and which debuggers alone read.
 * @returns the path, or undefined where there is no `strip`, as on other systems than Linux
 */
export function strippedNode(path: string): string | undefined {
  if (process.platform !== 'linux') return undefined
  try {
    execFileSync('strip', ['--strip-all', '-o', path, realpathSync(process.execPath)])
    return path
  } catch {
    // Its package is larger.
    return undefined
  }
}

/** What electron-builder makes packages with. */
const BUILDER = 'app-builder-lib'
const require = createRequire(createRequire(import.meta.url).resolve('electron-builder'))
export const builder = (module: string) => require(`${BUILDER}/${module}`)

/**
 * The program that an AppImage starts, as electron-builder makes it, with one more word: `--cli` runs the command line. It is added among
 * the files of the app, which electron-builder copies over its own. What it starts is in the mounted image, so nothing may outlive it.
 */
export function appRun(executable: string, product: string): string {
  const { generateAppRunScript } = builder('out/targets/appimage/appImageUtil.js')
  const script: string = generateAppRunScript({
    DesktopFileName: `${executable}.desktop`,
    ExecutableName: executable,
    ProductName: product,
    ProductFilename: product,
    ResourceName: `appimagekit-${executable}`,
  })
  const start = 'set -e\n'
  if (!script.includes(start)) throw new Error('The AppRun of electron-builder has changed.')
  return script.replace(
    start,
    `${start}
if [ "$1" = --cli ]; then
  shift
  REFILE_WINDOW= exec "$(dirname "$(readlink -f "$0")")/resources/${FOLDER}/refile" "$@"
fi
`,
  )
}

/** A script of electron-builder's Debian packages, with `refile` on the PATH as the command line instead of the window. */
export function debianScript(name: 'after-install' | 'after-remove'): string {
  const script = readFileSync(require.resolve(`${BUILDER}/templates/linux/${name}.tpl`), 'utf8')
  const changed = script.replaceAll(
    /(?<='\/opt\/\$\{sanitizedProductName\}\/)\$\{executable\}(?=')/g,
    `resources/${FOLDER}/refile`,
  )
  if (changed === script) throw new Error(`${name}.tpl names no program.`)
  return changed
}
