import { type ReactNode, Suspense, useState } from 'react'

interface Props {
  opened: boolean
  children: ReactNode
}

/** Holds a dialog whose code is loaded when it is first opened. It stays from then on, so that it closes as it always does. */
export function OnceOpened({ opened, children }: Props) {
  const [used, setUsed] = useState(opened)
  if (opened && !used) setUsed(true)
  return used && <Suspense fallback={null}>{children}</Suspense>
}
