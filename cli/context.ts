import { openService, type Programs, type Service } from './service.ts'
import type { Settings } from './settings.ts'

/** What every command gets. */
export interface CliContext {
  settings: Settings
  programs: Programs
  /** Aborts on Ctrl-C and SIGTERM. */
  signal: AbortSignal
  /** The service, found or started when a command first needs it, and again once that one has ended. */
  service(): Promise<Service>
}

/** A context, and what ends it: a service that was started for the command stops. */
export function createContext(
  settings: Settings,
  programs: Programs,
  signal: AbortSignal,
): CliContext & AsyncDisposable {
  let opening: Promise<Service> | undefined
  const service = async (): Promise<Service> => {
    const before = opening
    const former = await before?.catch(() => undefined)
    if (former && (await former.isRunning())) return former
    // Calls at the same time share the new one.
    if (opening === before) opening = openService({ settings, programs, signal, former, next: service })
    return opening as Promise<Service>
  }
  return {
    settings,
    programs,
    signal,
    service,
    [Symbol.asyncDispose]: async () => (await opening?.catch(() => undefined))?.[Symbol.asyncDispose](),
  }
}
