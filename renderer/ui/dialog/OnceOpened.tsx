import { type ReactNode, Suspense, useState } from 'react'

/** Contains a dialog whose code is loaded when it is first opened. It then stays mounted, so that it closes normally. */
export function OnceOpened({ opened, children }: { opened: boolean; children: ReactNode }) {
  const [used, setUsed] = useState(opened)
  if (opened && !used) setUsed(true)
  return used && <Suspense fallback={null}>{children}</Suspense>
}
