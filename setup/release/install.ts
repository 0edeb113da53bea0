import { execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { out } from './step.ts'

/** How a program is started: it and its first arguments. */
export type Command = readonly [program: string, ...args: string[]]

const run = (program: string, ...args: string[]) => execFileSync(program, args, { stdio: 'inherit' })

/** A package for this machine's processor. */
function packageOf(pattern: string): string {
  const [name] = globSync(pattern, { cwd: out })
  if (name === undefined) throw new Error(`There is no ${pattern} in ${out}.`)
  return join(out, name)
}

/** Installs this system's package of a release as a person would. @returns how the app is started */
export function install(): Command {
  if (process.platform === 'darwin') {
    run(
      'hdiutil',
      'attach',
      '-nobrowse',
      '-mountpoint',
      '/Volumes/Refile',
      packageOf(`Refile-*-${process.arch}.dmg`),
    )
    run('cp', '-R', '/Volumes/Refile/Refile.app', '/Applications/')
    run('hdiutil', 'detach', '/Volumes/Refile')
    return ['/Applications/Refile.app/Contents/MacOS/Refile']
  }
  if (process.platform === 'win32') {
    run(packageOf(`Refile-*-win-${process.arch}.exe`), '/S')
    return [join(process.env.LOCALAPPDATA ?? '', 'Programs', 'refile', 'Refile.exe')]
  }
  run('sudo', 'apt-get', 'install', '--yes', packageOf('Refile-*.deb'))
  // A runner has no screen.
  return process.env.DISPLAY ? ['/opt/Refile/refile'] : ['xvfb-run', '--auto-servernum', '/opt/Refile/refile']
}
