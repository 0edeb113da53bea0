/** Keys: how they are called on this computer, and which are pressed. */
import { desktop } from '../api/desktop.ts'
import { type TextKey, text } from '../messages/text.ts'

export interface Shortcut {
  /** The last key is a value of `KeyboardEvent.key`; `Mod` is Command on a Mac and Control elsewhere. */
  keys: string
  label: Extract<TextKey, `shortcuts.${string}` | 'commands.undo'>
}

/** Keys that move within the table of files, which handles them itself while it has the focus. */
export const inTable = {
  move: { keys: 'ArrowUp ArrowDown', label: 'shortcuts.move' },
  ends: { keys: 'Home End', label: 'shortcuts.ends' },
  controls: { keys: 'ArrowRight', label: 'shortcuts.controls' },
  extend: { keys: 'Shift+ArrowUp Shift+ArrowDown', label: 'shortcuts.extend' },
  select: { keys: 'Shift+Space', label: 'shortcuts.select' },
  selectAll: { keys: 'Mod+A', label: 'shortcuts.selectAll' },
  act: { keys: 'Enter', label: 'shortcuts.act' },
  menu: { keys: 'Shift+F10', label: 'shortcuts.menu' },
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

/** Keys with a name in words. */
const named = {
  Mod: 'keyboard.control',
  Shift: 'keyboard.shift',
  Enter: 'keyboard.enter',
  Space: 'keyboard.space',
  Delete: 'keyboard.delete',
  Home: 'keyboard.home',
  End: 'keyboard.end',
} as const

const keyName = (key: string, mac: boolean): string =>
  (mac ? macSymbols : symbols)[key] ?? (key in named ? text(named[key as keyof typeof named]) : key)

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
export const shortcutProps = ({ shortcut }: { shortcut?: Shortcut }) =>
  shortcut && {
    title: keysText(shortcut),
    'aria-keyshortcuts': shortcut.keys.replace('Mod', isMac() ? 'Meta' : 'Control'),
  }

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>

/** Whether exactly these keys are pressed. */
export function isPressed({ keys }: Pick<Shortcut, 'keys'>, pressed: Pressed, mac = isMac()): boolean {
  const { key, ctrlKey, metaKey, shiftKey, altKey } = pressed
  const words = keys.split('+')
  const last = words.at(-1) ?? ''
  const mod = words.includes('Mod')
  // The position of punctuation on the keyboard, and whether it needs Shift, depends on the keyboard's language.
  const shift = /^[.,?]$/.test(last) ? shiftKey : words.includes('Shift')
  const isHeld = (mac ? metaKey : ctrlKey) === mod && !(mac ? ctrlKey : metaKey) && !altKey
  return isHeld && shiftKey === shift && key.toLowerCase() === last.toLowerCase()
}
