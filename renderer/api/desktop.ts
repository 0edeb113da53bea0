/** What the desktop shell offers the page. In a plain browser none of it is there. */
import type { DesktopBridge } from '../../electron/ipc.ts'

declare global {
  interface Window {
    refile?: Partial<DesktopBridge>
  }
}

export const desktop = (): Partial<DesktopBridge> => window.refile ?? {}
