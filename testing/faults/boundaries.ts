/**
 * The points at which stopping a service can leave something half done: before and after every call that changes a file,
 * during writes, and before every statement that writes to the database.
 */
import fs from 'node:fs'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, join } from 'node:path'
import { DatabaseSync, StatementSync } from 'node:sqlite'

export interface Boundary {
  /** The call and its subject, such as `rename output-1` or `COMMIT`. */
  name: string
  /** Performs a part of the call, as a kill in the middle would leave it. Undefined for calls that are atomic. */
  half?: (() => void) | undefined
}

type Listener = (boundary: Boundary) => void
type Call = (...args: never[]) => unknown

/** Calls of `node:fs/promises` that change files. */
const changes = ['rename', 'link', 'copyFile', 'mkdir', 'rm', 'writeFile', 'chmod', 'unlink'] as const

/** What a killed call leaves behind: a truncated file, or a folder with only some members left. */
const halves: Record<string, (...paths: string[]) => void> = {
  copyFile: (from, to = '') => {
    const bytes = fs.readFileSync(from ?? '')
    fs.writeFileSync(to, bytes.subarray(0, bytes.length >> 1))
  },
  rm: (path = '') => {
    const [first] = fs.existsSync(path) && fs.statSync(path).isDirectory() ? fs.readdirSync(path) : []
    if (first !== undefined) fs.rmSync(join(path, first), { recursive: true, force: true })
  },
  writeFile: (path, content = '') => fs.writeFileSync(path ?? '', content.slice(0, content.length >> 1)),
}

const nameOf = (path: unknown) =>
  typeof path === 'string' ? path.slice(dirname(dirname(path)).length + 1) : ''

/**
 * Reports every boundary in this process from now on; if the listener throws, the call fails with that error. Modules that
 * have already imported these calls are affected too.
 */
export function onBoundary(listener: Listener): void {
  for (const call of changes) {
    const original = promises[call] as (...args: unknown[]) => Promise<unknown>
    const watched = async (...args: unknown[]) => {
      const name = `${call} ${nameOf(args[call === 'rename' || call === 'link' || call === 'copyFile' ? 1 : 0])}`
      const half = halves[call]
      listener({ name, half: half && (() => half(...args.map(String))) })
      const result = await original(...args)
      listener({ name: `after ${name}` })
      return result
    }
    Object.assign(promises, { [call]: watched })
  }
  const { write } = fs
  const watchedWrite = (fd: number, buffer: Buffer, ...rest: unknown[]) => {
    const half = () => void fs.writeSync(fd, buffer.subarray(0, buffer.length >> 1))
    try {
      listener({ name: 'write of a stream', half })
    } catch (error) {
      return (rest.at(-1) as (error: unknown) => void)(error)
    }
    return (write as Call)(...([fd, buffer, ...rest] as never[]))
  }
  Object.assign(fs, { write: watchedWrite })
  syncBuiltinESMExports()

  const { exec } = DatabaseSync.prototype
  DatabaseSync.prototype.exec = function (this: DatabaseSync, sql) {
    listener({ name: firstArgs(sql) })
    exec.call(this, sql)
  }
  for (const method of ['run', 'get', 'all'] as const) {
    const original = StatementSync.prototype[method] as Call
    const watched = function (this: StatementSync, ...values: never[]) {
      if (/^\s*(INSERT|UPDATE|DELETE)/.test(this.sourceSQL)) listener({ name: firstArgs(this.sourceSQL) })
      return original.apply(this, values)
    }
    Object.assign(StatementSync.prototype, { [method]: watched })
  }
}

const firstArgs = (sql: string) => sql.trim().split(/\s+/).slice(0, 5).join(' ')
