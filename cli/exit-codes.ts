import { JobError, RefileError } from '../sdk/src/index.ts'

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
  [/^(api_key\.|session\.|entitlements\.)/, exitCode.access],
  [/^(jobs\.engine_missing|transcription\.model_not_installed)$/, exitCode.missing],
]

/** The exit code that tells scripts what kind of failure this is. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof UsageError) return exitCode.usage
  if (error instanceof RefileError || error instanceof JobError) {
    return codes.find(([pattern]) => pattern.test(error.code))?.[1] ?? exitCode.failed
  }
  return exitCode.failed
}

/** Machine-readable code of any error. */
export const errorCodeOf = (error: unknown): string => {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : 'unexpected'
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
