import { createRequire } from 'node:module'
import type { Grants } from './grants.ts'

/**
 * Seatbelt, the sandbox of macOS, as used by `sandbox-exec`; see sandbox_init(3) and the profiles in
 * /System/Library/Sandbox/Profiles. Later rules override earlier ones.
 */

/** Where people keep their files. */
const PRIVATE = [
  '/Users',
  '/Volumes',
  '/private/tmp',
  '/private/var/folders',
  '/private/var/tmp',
  '/private/var/root',
]

/** Services that could make one of the person's unconfined programs act on request. */
const BROKERS = [
  'com.apple.coreservices.appleevents',
  'com.apple.coreservices.launchservicesd',
  'com.apple.lsd.open',
  'com.apple.pasteboard.1',
]

/** A string literal of the profile language. */
const quote = (text: string) => `"${text.replaceAll(/["\\]/g, character => `\\${character}`)}"`

const rule = (verdict: string, filters: readonly string[]): string[] =>
  filters.length > 0 ? [`(${verdict} ${filters.join(' ')})`] : []

/** `subpath` also matches a single file. */
const below = (paths: readonly string[]) => paths.map(path => `(subpath ${quote(path)})`)

/**
 * A profile that denies the network, all writing, and reading where people keep files, except for `grants`. System libraries
 * stay readable, since the set that a program needs changes with each release.
 * @param hidden further private folders, such as the data folder
 */
export const seatbeltProfile = (grants: Grants, hidden: readonly string[] = []): string =>
  [
    '(version 1)',
    '(allow default)',
    '(deny network*)',
    '(deny appleevent-send)',
    ...rule(
      'deny mach-lookup',
      BROKERS.map(name => `(global-name ${quote(name)})`),
    ),
    '(deny file-write*)',
    ...rule('deny file-read-data', below([...PRIVATE, ...hidden])),
    ...rule('allow file-read-data', below([...grants.read, ...grants.execute])),
    ...rule('allow file-read-data file-write-data', below(grants.devices)),
    ...rule('allow file-read-data file-write*', below(grants.write)),
    // An unconfined program that follows a link would be led out of the folder.
    '(deny file-link)',
    '(deny file-write-create (vnode-type SYMLINK))',
    '',
  ].join('\n')

/**
 * Confines this process, all its threads and every program it starts to a profile. It cannot be undone.
 * @returns whether it succeeded
 */
export function confineBySeatbelt(profile: string): boolean {
  try {
    const koffi: typeof import('koffi') = createRequire(import.meta.url)('koffi')
    const init = koffi.load(null).func('int sandbox_init(const char *profile, uint64_t flags, void **error)')
    return init(profile, 0, Buffer.alloc(8)) === 0
  } catch {
    return false
  }
}
