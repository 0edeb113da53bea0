import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Whether a window can be shown: not over SSH, in a container or on a build machine. */
export const hasDisplay =
  process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY)

/** A command line that gets a screen of its own where there is none, as on a build machine with Linux. */
export const onScreen = (
  program: string,
  ...args: string[]
): readonly [program: string, ...args: string[]] =>
  hasDisplay ? [program, ...args] : ['xvfb-run', '--auto-servernum', program, ...args]

/**
 * Opens an address in the person's browser, if possible. All users of a machine can read the arguments of its programs, so the
 * browser is given a file instead that only this user can read, and that leads to the address.
 * @returns removes the file
 */
export async function openBrowser(url: string): Promise<AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'refile-open-'))
  const file = join(folder, 'Refile.html')
  const page = `<!doctype html><meta charset="utf-8"><title>Refile</title><meta http-equiv="refresh" content="0;url=${url}">`
  await writeFile(file, page, { mode: 0o600 })
  const { href } = pathToFileURL(file)
  const [command = '', ...args] =
    process.platform === 'darwin'
      ? ['open', href]
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', href]
        : ['xdg-open', href]
  spawn(command, args, { stdio: 'ignore', detached: true })
    .once('error', () => {}) // The address has been printed.
    .unref()
  return { [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}
