import { LAST_PORT, SettingError } from '../shared/config.ts'

/** How many ports are tried after the requested one. */
const PORT_ATTEMPTS = 50

/** The system's error for an address or port that cannot be listened on, as a sentence about the setting. */
const listenProblems = new Map<string | undefined, string>([
  ['EADDRNOTAVAIL', 'REFILE_HOST is not an address of this machine.'],
  ['EINVAL', 'REFILE_HOST is not an address of this machine.'],
  ['ENOTFOUND', 'REFILE_HOST is not an address of this machine.'],
  ['EACCES', 'The port may not be listened on by this user. Choose one from 1024 on.'],
])

/**
 * Listens on `wanted`, or the next free port after it; 0 lets the system choose.
 * @param attempt listens on a port
 * @throws SettingError if no port can be listened on
 */
export async function listen(attempt: (port: number) => Promise<unknown>, wanted: number): Promise<void> {
  for (let port = wanted; ; port++) {
    try {
      await attempt(port)
      return
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      const problem = listenProblems.get(code)
      if (problem !== undefined) throw new SettingError(problem, { cause: error })
      if (code !== 'EADDRINUSE' || wanted === 0) throw error
      if (port - wanted >= PORT_ATTEMPTS || port === LAST_PORT) {
        throw new SettingError(`No port from ${wanted} to ${port} is free.`, { cause: error })
      }
    }
  }
}
