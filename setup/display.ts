import { spawn } from 'node:child_process'

/** Whether a window can be shown: not over SSH, in a container or on a build machine. */
export const hasDisplay =
  process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY)

/** Opens an address in the person's browser, if possible. */
export function openBrowser(url: string): void {
  const [command = '', ...args] =
    process.platform === 'darwin'
      ? ['open', url]
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', url]
        : ['xdg-open', url]
  spawn(command, args, { stdio: 'ignore', detached: true })
    .once('error', () => {}) // The address has been printed.
    .unref()
}
