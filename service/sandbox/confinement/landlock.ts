import { closeSync, fstatSync, openSync } from 'node:fs'
import { inEveryThread } from './every-thread.ts'
import type { Grants } from './grants.ts'
import type { Libc } from './libc.ts'

/**
 * Landlock restricts what this process and the programs it starts may do with files; see landlock(7) and
 * linux/landlock.h. The kernel refuses everything that is not granted with EACCES, even to native code.
 */

const CREATE_RULESET = 444
const ADD_RULE = 445
const RESTRICT_SELF = 446
/** Flag of `CREATE_RULESET` that queries the version instead. */
const VERSION = 1
const PATH_BENEATH = 1
const O_PATH = 0x200000

const EXECUTE = 1 << 0
const WRITE_FILE = 1 << 1
const READ_FILE = 1 << 2
const READ_DIR = 1 << 3
const REMOVE_DIR = 1 << 4
const REMOVE_FILE = 1 << 5
const MAKE_DIR = 1 << 7
const MAKE_REG = 1 << 8
/** Renaming and linking between folders. */
const REFER = 1 << 13
const TRUNCATE = 1 << 14
/** Asking a device what only its driver understands, since version 5. */
const IOCTL_DEV = 1 << 15
/** All rights that Landlock handles, by version. What no version knows cannot be refused. */
const HANDLED = [0, 0x1fff, 0x3fff, 0x7fff, 0x7fff, 0xffff]

/** The rights of each kind of grant. Nobody may create links, devices, pipes or sockets, or execute what was written. */
const rights: Record<keyof Grants, number> = {
  read: READ_FILE | READ_DIR,
  execute: READ_FILE | READ_DIR | EXECUTE,
  devices: READ_FILE | WRITE_FILE | IOCTL_DEV,
  write:
    READ_FILE | READ_DIR | WRITE_FILE | TRUNCATE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG | REFER,
}
/** Rights that a rule for a file, rather than a folder, can have. */
const OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV

/** Binding and connecting over TCP, since version 4. */
const TCP = 3
/** Abstract sockets, and signals to processes outside; since version 6. */
const SCOPES = 3
/** Flag of `RESTRICT_SELF`, since version 7: refusals to our own code, such as looking for a package.json, are not logged. */
const LOG_SAME_EXEC_OFF = 1

/** The Landlock version of the kernel; 0 for none. */
export const landlockVersion = (libc: Libc): number =>
  Math.max(0, libc.call(CREATE_RULESET, null, 0, VERSION))

/**
 * Confines every thread of this process to `grants`. "No new privileges" must already be set. It cannot be undone.
 * @returns whether it succeeded; if not, some threads may be confined
 */
export function confineByLandlock(libc: Libc, grants: Grants): boolean {
  const version = landlockVersion(libc)
  const handled = HANDLED[Math.min(version, HANDLED.length - 1)] ?? 0
  if (handled === 0) return false
  // `struct landlock_ruleset_attr`: files, network, scopes.
  const attributes = BigUint64Array.of(
    BigInt(handled),
    BigInt(version >= 4 ? TCP : 0),
    BigInt(version >= 6 ? SCOPES : 0),
  )
  const ruleset = libc.call(CREATE_RULESET, new Uint8Array(attributes.buffer), attributes.byteLength, 0)
  if (ruleset === -1) return false
  try {
    for (const kind of ['read', 'execute', 'devices', 'write'] as const) {
      for (const path of grants[kind]) if (!allow(libc, ruleset, path, rights[kind] & handled)) return false
    }
    return inEveryThread(libc, RESTRICT_SELF, [ruleset, version >= 7 ? LOG_SAME_EXEC_OFF : 0, 0])
  } finally {
    closeSync(ruleset)
  }
}

/** @returns false if the kernel refuses the rule; a path that does not exist needs none */
function allow(libc: Libc, ruleset: number, path: string, access: number): boolean {
  let file: number
  try {
    file = openSync(path, O_PATH)
  } catch {
    return true
  }
  try {
    const isFolder = fstatSync(file).isDirectory()
    // `struct landlock_path_beneath_attr`, which is packed.
    const rule = Buffer.alloc(12)
    rule.writeBigUInt64LE(BigInt(isFolder ? access : access & OF_FILES), 0)
    rule.writeInt32LE(file, 8)
    return libc.call(ADD_RULE, ruleset, PATH_BENEATH, rule, 0) === 0
  } finally {
    closeSync(file)
  }
}
