import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type LinkedPage, pageOfLink, SCHEME } from './links.ts'

/** The request of a command line. */
export interface Request {
  /** Absolute paths of files. */
  files: string[]
  /** Request key of the target to convert to at once, from a file manager's menu; null to let the person decide. */
  target: string | null
  /** Page that a link opens. */
  page: LinkedPage | null
  /** Started with the session: without a window. */
  hidden: boolean
}

export const TARGET_SWITCH = '--to='
export const HIDDEN_SWITCH = '--hidden'

/**
 * Parses what "Open with", a file manager's menu, a link or the start of the session pass: paths, file URLs, `refile://`
 * links, and two switches. Everything else is ignored, such as the switches that Chromium adds.
 * @param args the command line without the program itself
 * @param folder base of relative paths
 */
export function readCommandLine(args: readonly string[], folder: string): Request {
  const isSwitch = (arg: string) => arg.startsWith('-')
  const target = args.find(arg => arg.startsWith(TARGET_SWITCH))?.slice(TARGET_SWITCH.length)
  const links = args.filter(arg => arg.startsWith(`${SCHEME}:`))
  return {
    files: args.filter(arg => !isSwitch(arg) && !links.includes(arg)).flatMap(arg => fileOf(arg, folder)),
    target: target !== undefined && /^[a-z0-9-]{1,40}$/.test(target) ? target : null,
    page: links.map(pageOfLink).find(page => page !== undefined) ?? null,
    hidden: args.includes(HIDDEN_SWITCH),
  }
}

function fileOf(arg: string, folder: string): string[] {
  try {
    const path = arg.startsWith('file:') ? fileURLToPath(arg) : resolve(folder, arg)
    return statSync(path).isFile() ? [path] : []
  } catch {
    return []
  }
}
