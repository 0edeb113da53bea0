import { openService, type Programs, type Service } from './service.ts'
import type { Settings } from './settings.ts'

/** What every command gets. */
export interface Context {
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
): Context & AsyncDisposable {
  let opening: Promise<Service> | undefined
  return {
    settings,
    programs,
    signal,
    service: async () => {
      const former = opening
      const found = await former?.catch(() => undefined)
      if (found && (await found.isRunning())) return found
      // Calls at the same time share the new one.
      if (opening === former) opening = openService(settings, programs, signal)
      return opening as Promise<Service>
    },
    [Symbol.asyncDispose]: async () => (await opening?.catch(() => undefined))?.[Symbol.asyncDispose](),
  }
}
