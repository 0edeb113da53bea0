import type { Events, ServiceEvent } from './interfaces/events.ts'

/** Events within one process. @param onError called with errors of listeners */
export function localEvents(onError: (error: unknown) => void): Events {
  const listeners = new Set<(event: ServiceEvent) => void>()
  return {
    hosts: 1,

    publish(event) {
      for (const listener of [...listeners]) {
        try {
          listener(event)
        } catch (error) {
          onError(error)
        }
      }
    },

    subscribe(listener) {
      // Wrapped, so that a listener that subscribes twice is called twice and can unsubscribe twice.
      const own = (event: ServiceEvent) => listener(event)
      listeners.add(own)
      return () => void listeners.delete(own)
    },

    /** There is nobody else. */
    subscribeElsewhere: () => () => {},
  }
}
