/** Tells whoever shows the frame that the service no longer knows this session. */
const listeners = new Set<() => void>()

export function onSignedOut(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function announceSignedOut(): void {
  for (const listener of listeners) listener()
}
