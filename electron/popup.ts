import { type BrowserWindow, Menu } from 'electron'

/** On some systems a menu reports that it closed before it reports what was chosen. */
const CHOICE_AFTER_CLOSE_MS = 200

/**
 * Shows a menu of the system at the pointer.
 * @param labels texts, and null for a line between them
 * @returns the index of the chosen text; null if the menu was closed
 */
export const popup = (labels: readonly (string | null)[], window: BrowserWindow): Promise<number | null> =>
  new Promise(resolve => {
    const menu = Menu.buildFromTemplate(
      labels.map((label, index) =>
        label === null ? { type: 'separator' } : { label, click: () => resolve(index) },
      ),
    )
    menu.popup({ window, callback: () => setTimeout(() => resolve(null), CHOICE_AFTER_CLOSE_MS) })
  })
