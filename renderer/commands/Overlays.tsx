import { lazy, Suspense, useEffect } from 'react'
import { shortcutOf } from '../ui/shortcuts.ts'
import { actions } from './actions.ts'
import { useOverlay } from './store.ts'

const Palette = lazy(async () => ({ default: (await import('./Palette.tsx')).Palette }))
const ShortcutList = lazy(async () => ({ default: (await import('./ShortcutList.tsx')).ShortcutList }))

/** Listens for shortcuts, and shows the dialogs that they open. */
export function Overlays() {
  const shown = useOverlay(state => state.shown)
  useEffect(() => {
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
  return (
    <Suspense fallback={null}>
      {shown === 'palette' && <Palette />}
      {shown === 'help' && <ShortcutList />}
    </Suspense>
  )
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return
  const id = shortcutOf(event)
  // An open dialog gets all keys, and a question mark may be typed as text.
  if (id === null || document.querySelector('[aria-modal="true"], dialog[open]')) return
  if (id === 'help' && isWritten(event.target)) return
  event.preventDefault()
  actions[id]()
}

const isWritten = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
