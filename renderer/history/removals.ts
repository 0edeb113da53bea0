import { notifyProblem } from '../ui/notifications/notify.ts'
import { useHistory } from './store.ts'

/** How long a removal can be undone. */
export const UNDO_MS = 10_000

const waiting = new Map<string, ReturnType<typeof setTimeout>>()

function finish(id: string): void {
  clearTimeout(waiting.get(id))
  waiting.delete(id)
  void useHistory.getState().remove(id).catch(notifyProblem)
}

/** Rows that are removed after a while in which that can be undone, or when the page is left. */
export const removals = {
  start(id: string): void {
    useHistory.getState().leave(id)
    waiting.set(
      id,
      setTimeout(() => finish(id), UNDO_MS),
    )
  },
  undo(id: string): void {
    clearTimeout(waiting.get(id))
    waiting.delete(id)
    useHistory.getState().comeBack(id)
  },
  /** Removes at once what could still be undone. */
  finish(): void {
    for (const id of [...waiting.keys()]) finish(id)
  },
}
