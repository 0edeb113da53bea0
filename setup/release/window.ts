import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses'
import { onScreen } from '../display.ts'
import { root } from '../root.mjs'
import { temporaryFolder } from '../temporary.ts'
import { out, step } from './step.ts'

/** The program within the folder that electron-builder leaves beside the packages. */
const programs: Partial<Record<NodeJS.Platform, readonly [folder: string, program: string]>> = {
  linux: ['linux*-unpacked', 'refile'],
  win32: ['win*-unpacked', 'Refile.exe'],
  darwin: ['mac*/Refile.app', 'Contents/MacOS/Refile'],
}

/** Lets a program be driven by a debugger, which what is shipped refuses. */
export const openToDebuggers = (program: string): Promise<unknown> =>
  flipFuses(program, { version: FuseVersion.V1, [FuseV1Options.EnableNodeCliInspectArguments]: true })

const run = (program: string, ...args: string[]) => execFileSync(program, args, { stdio: 'inherit' })

/** What a system demands of a program that is elsewhere, or has been changed. */
function letStart(program: string): void {
  if (process.platform === 'darwin') {
    const entitlements = join(root, 'resources', 'entitlements', 'mac-unsigned.plist')
    const args = ['--force', '--deep', '--sign', '-', '--options', 'runtime', '--entitlements', entitlements]
    run('codesign', ...args, join(program, '..', '..', '..'))
  }
  // Only the program that the Debian package installs has a profile with what Chromium's sandbox needs.
  const restriction = 'kernel.apparmor_restrict_unprivileged_userns'
  if (existsSync(join('/proc/sys', restriction.replaceAll('.', '/'))))
    run('sudo', 'sysctl', `${restriction}=0`)
}

/** Copies the unpacked app of this system into a folder. @returns path of its program */
export function copyApp(from: string, to: string): string {
  const [pattern, program] = programs[process.platform] ?? ['', '']
  const [app] = globSync(pattern, { cwd: from })
  if (app === undefined) throw new Error(`There is no unpacked app in ${from}.`)
  const copy = join(to, process.platform === 'darwin' ? 'Refile.app' : 'app')
  cpSync(join(from, app), copy, { recursive: true, verbatimSymlinks: true })
  return join(copy, program)
}

/** Tries a copy of the app in its own window by e2e/installed.ts; the screenshot is kept beside the packages. */
if (import.meta.main)
  await step(async () => {
    using folder = temporaryFolder('window')
    const program = copyApp(out, folder.path)
    await openToDebuggers(program)
    letStart(program)
    const args = ['test', '-c', join(root, 'e2e', 'installed.config.ts')]
    const playwright = join(root, 'node_modules', 'playwright', 'cli.js')
    const [first, ...rest] = onScreen(process.execPath, playwright, ...args)
    const screenshot = join(out, `window-${process.platform}-${process.arch}.png`)
    const env = { ...process.env, REFILE_WINDOW_PROGRAM: program, REFILE_WINDOW_SCREENSHOT: screenshot }
    if (spawnSync(first, rest, { cwd: root, stdio: 'inherit', env }).status !== 0)
      throw new Error('The app did not do in its window what it should.')
    return `The window was photographed: ${screenshot}`
  })
