import { dirname } from 'node:path'

/** Exit codes of the command line. */
export const exitCode = {
  done: 0,
  /** Some files were not converted, or had warnings with `--fail-on-warnings`. */
  failed: 1,
  /** An unknown command, a wrong option, a file that is not there. */
  usage: 2,
  /** The formats are unknown, or there is no conversion between them. */
  pair: 3,
  /** The key is wrong, or its credits do not suffice. */
  access: 4,
  /** An engine or a model is missing. */
  missing: 5,
  interrupted: 130,
  terminated: 143,
} as const

export type ExitCode = (typeof exitCode)[keyof typeof exitCode]

/** A command that was used wrongly; the message says how to use it. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError'
  /** The name by which programs and agents recognise it. */
  readonly code: string

  constructor(message: string, code = 'usage') {
    super(message)
    this.code = code
  }
}

const codes: readonly [pattern: RegExp, code: ExitCode][] = [
  [/^(convert|schema|estimate)\.unsupported_|\.converter_not_found$/, exitCode.pair],
  [/^(convert\.invalid_options|convert\.missing_target_format|estimate\.invalid_variant)$/, exitCode.usage],
  [/^request\.invalid_parameter$/, exitCode.usage],
  [/^(api_key\.|session\.|entitlements\.)/, exitCode.access],
  [/^(jobs\.engine_missing|transcription\.model_not_installed)$/, exitCode.missing],
]

/** The exit code for this kind of failure. */
export function exitCodeOf(error: unknown): ExitCode {
  const otherwise = error instanceof UsageError ? exitCode.usage : exitCode.failed
  return codes.find(([pattern]) => pattern.test(errorCodeOf(error)))?.[1] ?? otherwise
}

/** Machine-readable code of any error. */
export const errorCodeOf = (error: unknown): string => {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : 'unexpected'
}

/** What the system's errors mean for a file or folder that was named. */
const fileProblems: Readonly<Record<string, string>> = {
  EACCES: 'Refile may not read or write there',
  EEXIST: 'a file has this name, so that no folder can have it',
  EISDIR: 'it is a folder',
  ENOENT: 'there is no such file or folder, and it cannot be made',
  ENOSPC: 'the disk is full. Free some space and run this again',
  ENOTDIR: 'a part of this path is a file, not a folder',
  EPERM: 'Refile may not read or write there',
  EROFS: 'this disk cannot be written to',
}

/** What an error says to a person. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code = '', path } = error as NodeJS.ErrnoException
  const problem = Object.hasOwn(fileProblems, code) ? fileProblems[code] : undefined
  if (problem === undefined) return error.message
  // While it is written to, a file is known by its number alone, or by a name for a while that tells a person nothing.
  return path === undefined
    ? `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`
    : `${path.endsWith('.part') ? dirname(path) : path}: ${problem}.`
}
