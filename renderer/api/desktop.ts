/** What the desktop shell offers the page. It is undefined in a plain browser. */
import type { DesktopBridge } from '../../electron/ipc.ts'

declare global {
  interface Window {
    refile?: Partial<DesktopBridge>
  }
}

export const desktop = (): Partial<DesktopBridge> => window.refile ?? {}
