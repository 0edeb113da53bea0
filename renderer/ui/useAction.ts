import { useState } from 'react'
import { notifyProblem } from './notifications/notify.ts'

/** Runs a button's action: `busy` while it runs, and a notice if it fails. */
export function useAction() {
  const [busy, setBusy] = useState(false)
  const act = async (action: () => Promise<unknown>): Promise<void> => {
    setBusy(true)
    try {
      await action()
    } catch (error) {
      notifyProblem(error)
    } finally {
      setBusy(false)
    }
  }
  return { busy, act }
}
