import { useState } from 'react'
import { tellProblem } from './notify.ts'

/** Runs what a button asks for: `busy` while it lasts, and a notice when it fails. */
export function useAction() {
  const [busy, setBusy] = useState(false)
  const act = async (action: () => Promise<unknown>): Promise<void> => {
    setBusy(true)
    try {
      await action()
    } catch (error) {
      tellProblem(error)
    } finally {
      setBusy(false)
    }
  }
  return { busy, act }
}
