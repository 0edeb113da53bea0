/** Notifies the frame when the service no longer accepts this session. */
const listeners = new Set<() => void>()

export function onSignedOut(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function announceSignedOut(): void {
  for (const listener of listeners) listener()
}
