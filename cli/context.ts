import { openService, type Programs, type Service } from './service.ts'
import type { Settings } from './settings.ts'

/** What every command gets. */
export interface Context {
  settings: Settings
  programs: Programs
  /** Aborts on Ctrl-C and SIGTERM. */
  signal: AbortSignal
  /** The service, found or started when a command first needs it. */
  service(): Promise<Service>
}

/** A context, and what ends it: a service that was started for the command stops. */
export function createContext(
  settings: Settings,
  programs: Programs,
  signal: AbortSignal,
): Context & AsyncDisposable {
  let service: Promise<Service> | undefined
  return {
    settings,
    programs,
    signal,
    service: () => {
      service ??= openService(settings, programs)
      return service
    },
    [Symbol.asyncDispose]: async () => (await service?.catch(() => undefined))?.[Symbol.asyncDispose](),
  }
}
