import { createRequire } from 'node:module'
import { JobFailure } from '../../../shared/errors.ts'
import { type Message, message } from '../../../shared/messages/message.ts'

/** An engine's entry in `/health`. */
export interface EngineReport {
  name: string
  version: string | null
  available: boolean
  /** What to do if it is not available, or should be another version. */
  hint: Message | null
}

/** An engine's report with its key in `engineReports`. */
export interface NamedReport extends EngineReport {
  id: string
}

/** The report of an engine that is part of Refile. */
export const ours = (name: string) => async (): Promise<EngineReport> => ({
  name,
  version: null,
  available: true,
  hint: null,
})

/**
 * The report of an engine that is available if it has a version.
 * @param version may throw; a JobFailure then says what to do
 * @param hint what to do otherwise
 */
export const versioned =
  (name: string, version: () => Promise<string | null>, hint = message('engines.reinstall')) =>
  async (): Promise<EngineReport> => {
    const found = await version().catch((error: unknown) => error)
    if (typeof found === 'string') return { name, version: found, available: true, hint: null }
    const reason = found instanceof JobFailure ? found.reason : undefined
    return { name, version: null, available: false, hint: reason ?? hint }
  }

/**
 * The report of an engine in a package, whose version it has.
 * @param platformPackage contains its code for this platform, if that is another package
 */
export const packaged = (name: string, packageName: string, platformPackage?: string) =>
  versioned(name, async () => {
    const require = createRequire(import.meta.url)
    if (platformPackage) require.resolve(platformPackage)
    return (require(`${packageName}/package.json`) as { version: string }).version
  })
