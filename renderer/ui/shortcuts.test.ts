import { expect, test, vi } from 'vitest'
import { everywhere } from '../actions/all.ts'
import { isPressed, keysText } from './shortcuts.ts'

vi.hoisted(() => vi.stubGlobal('window', globalThis))

/** The keys that work on every page and are pressed. */
const shortcutOf = (pressed: Parameters<typeof isPressed>[1], mac: boolean) =>
  everywhere.find(({ shortcut }) => shortcut && isPressed(shortcut, pressed, mac))?.shortcut?.keys ?? null

const press = (
  key: string,
  held: Partial<Record<'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey', boolean>> = {},
) => ({
  ...{ key, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false },
  ...held,
})

test('a shortcut is the pressed key with exactly its modifiers', () => {
  expect(shortcutOf(press('k', { ctrlKey: true }), false)).toBe('Mod+K')
  expect(shortcutOf(press('k', { metaKey: true }), true)).toBe('Mod+K')
  expect(shortcutOf(press('k', { ctrlKey: true }), true)).toBeNull()
  expect(shortcutOf(press('o', { ctrlKey: true }), false)).toBe('Mod+O')
  expect(shortcutOf(press('O', { ctrlKey: true, shiftKey: true }), false)).toBe('Mod+Shift+O')
  expect(shortcutOf(press('k'), false)).toBeNull()
  expect(shortcutOf(press('k', { ctrlKey: true, altKey: true }), false)).toBeNull()
})

test('punctuation is recognised wherever it is on the keyboard', () => {
  expect(shortcutOf(press('?', { shiftKey: true }), false)).toBe('?')
  expect(shortcutOf(press('?'), false)).toBe('?')
  expect(shortcutOf(press('.', { ctrlKey: true, shiftKey: true }), false)).toBe('Mod+.')
})

test('keys have the names printed on the keyboard', () => {
  expect(keysText({ keys: 'Mod+Shift+O' }, false)).toBe('Ctrl+Shift+O')
  expect(keysText({ keys: 'Mod+Shift+O' }, true)).toBe('⌘⇧O')
})

test('no two shortcuts have the same keys', () => {
  const all = everywhere.map(({ shortcut }) => shortcut?.keys)
  expect(new Set(all).size).toBe(all.length)
})
