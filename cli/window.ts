import { existsSync } from 'node:fs'

/**
 * Whether a command line of an installed Refile is for its window: none where there is a screen, files, or a link.
 * @param commands names of the commands, which come before files of the same name
 */
export function isForWindow(
  words: readonly string[],
  commands: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): boolean {
  const [first] = words
  if (first === undefined)
    return platform !== 'linux' || Boolean(environment.DISPLAY || environment.WAYLAND_DISPLAY)
  if (commands.includes(first)) return false
  return /^(refile|file):/.test(first) || existsSync(first)
}
