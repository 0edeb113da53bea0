import type { ModalProps } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { lazy } from 'react'
import { allFiles, perform } from '../actions/action.ts'
import { everywhere } from '../actions/all.ts'
import { showShortcuts } from '../actions/show-shortcuts.ts'
import { undo } from '../actions/undo.ts'
import { OnceOpened } from '../ui/dialog/OnceOpened.tsx'
import { isPressed } from '../ui/shortcuts.ts'
import { type Overlay, useOverlay } from './store.ts'

const Palette = lazy(async () => ({ default: (await import('./Palette.tsx')).Palette }))
const ShortcutList = lazy(async () => ({ default: (await import('./ShortcutList.tsx')).ShortcutList }))

/** Listens for shortcuts, and shows the dialogs that they open. */
export function Overlays() {
  const shown = useOverlay(state => state.shown)
  useWindowEvent('keydown', onKeyDown)
  const propsOf = (overlay: Overlay): ModalProps => ({
    opened: shown === overlay,
    onClose: () => useOverlay.getState().show(null),
    // A key that is pressed as one closes is for the page.
    transitionProps: { duration: 0 },
  })
  return (
    <>
      <OnceOpened opened={shown === 'palette'}>
        <Palette {...propsOf('palette')} />
      </OnceOpened>
      <OnceOpened opened={shown === 'help'}>
        <ShortcutList {...propsOf('help')} />
      </OnceOpened>
    </>
  )
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return
  const action = everywhere.find(({ shortcut }) => shortcut && isPressed(shortcut, event))
  // An open dialog gets all keys, and a question mark or an undone letter may be meant for a field.
  if (!action || document.querySelector('[aria-modal="true"]')) return
  if ((action === showShortcuts || action === undo) && isWritten(event.target)) return
  event.preventDefault()
  void perform(action, allFiles())
}

const isWritten = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
