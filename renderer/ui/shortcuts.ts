/** All shortcuts of the page: the listeners, the tooltips of buttons, and the list of shortcuts use this table. */
import { desktop } from '../api/desktop.ts'
import { type TextKey, text } from '../messages/text.ts'

interface Shortcut {
  /** The last key is a value of `KeyboardEvent.key`; `Mod` is Command on a Mac and Control elsewhere. */
  keys: string
  label: TextKey
}

/** Shortcuts that work on every page. */
export const everywhere = {
  palette: { keys: 'Mod+K', label: 'shortcuts.palette' },
  help: { keys: '?', label: 'shortcuts.help' },
  addFiles: { keys: 'Mod+O', label: 'shortcuts.addFiles' },
  addFolder: { keys: 'Mod+Shift+O', label: 'shortcuts.addFolder' },
  convert: { keys: 'Mod+Enter', label: 'shortcuts.convert' },
  pause: { keys: 'Mod+.', label: 'shortcuts.pause' },
  settings: { keys: 'Mod+,', label: 'shortcuts.settings' },
} as const satisfies Record<string, Shortcut>

export type ShortcutId = keyof typeof everywhere

/** Shortcuts of the table of files, which handles them itself while it has the focus. */
export const inTable = {
  move: { keys: 'ArrowUp ArrowDown', label: 'shortcuts.move' },
  ends: { keys: 'Home End', label: 'shortcuts.ends' },
  controls: { keys: 'ArrowRight', label: 'shortcuts.controls' },
  extend: { keys: 'Shift+ArrowUp Shift+ArrowDown', label: 'shortcuts.extend' },
  look: { keys: 'Space', label: 'shortcuts.look' },
  select: { keys: 'Shift+Space', label: 'shortcuts.select' },
  selectAll: { keys: 'Mod+A', label: 'shortcuts.selectAll' },
  act: { keys: 'Enter', label: 'shortcuts.act' },
  menu: { keys: 'Shift+F10', label: 'shortcuts.menu' },
  remove: { keys: 'Delete', label: 'shortcuts.remove' },
} as const satisfies Record<string, Shortcut>

const isMac = (): boolean => /^(darwin|mac)/i.test(desktop().platform ?? navigator.platform)

/** Names of keys as printed on a Mac, and symbols of the arrow keys everywhere. */
const symbols: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowRight: '→',
}
const macSymbols: Readonly<Record<string, string>> = {
  ...symbols,
  Mod: '⌘',
  Shift: '⇧',
  Enter: '↩',
  Delete: '⌫',
}

function keyName(key: string, mac: boolean): string {
  const symbol = (mac ? macSymbols : symbols)[key]
  if (symbol !== undefined) return symbol
  switch (key) {
    case 'Mod':
      return text('keyboard.control')
    case 'Shift':
      return text('keyboard.shift')
    case 'Enter':
      return text('keyboard.enter')
    case 'Space':
      return text('keyboard.space')
    case 'Delete':
      return text('keyboard.delete')
    case 'Home':
      return text('keyboard.home')
    case 'End':
      return text('keyboard.end')
    default:
      return key
  }
}

/** A shortcut as printed on this computer's keyboard, such as `Ctrl+K` or `⌘K`. */
export const keysText = ({ keys }: Pick<Shortcut, 'keys'>, mac = isMac()): string =>
  keys
    .split(' ')
    .map(one =>
      one
        .split('+')
        .map(key => keyName(key, mac))
        .join(mac ? '' : '+'),
    )
    .join(' ')

/** Attributes of a button with a shortcut: the keys as a tooltip, and for screen readers. */
export const shortcutProps = (id: ShortcutId) => ({
  title: keysText(everywhere[id]),
  'aria-keyshortcuts': everywhere[id].keys.replace('Mod', isMac() ? 'Meta' : 'Control'),
})

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>

/** The pressed shortcut, if any. */
export function shortcutOf(pressed: Pressed, mac = isMac()): ShortcutId | null {
  const { key, ctrlKey, metaKey, shiftKey, altKey } = pressed
  for (const id of Object.keys(everywhere) as ShortcutId[]) {
    const words = everywhere[id].keys.split('+')
    const last = words.at(-1) ?? ''
    const mod = words.includes('Mod')
    // The position of punctuation on the keyboard, and whether it needs Shift, depends on the keyboard's language.
    const shift = /^[.,?]$/.test(last) ? shiftKey : words.includes('Shift')
    const isHeld = (mac ? metaKey : ctrlKey) === mod && !(mac ? ctrlKey : metaKey) && !altKey
    if (isHeld && shiftKey === shift && key.toLowerCase() === last.toLowerCase()) return id
  }
  return null
}
