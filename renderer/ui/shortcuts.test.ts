import { expect, test } from 'vitest'
import { everywhere, keysText, shortcutOf } from './shortcuts.ts'

const press = (
  key: string,
  held: Partial<Record<'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey', boolean>> = {},
) => ({
  ...{ key, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false },
  ...held,
})

test('a shortcut is the pressed key with exactly its modifiers', () => {
  expect(shortcutOf(press('k', { ctrlKey: true }), false)).toBe('palette')
  expect(shortcutOf(press('k', { metaKey: true }), true)).toBe('palette')
  expect(shortcutOf(press('k', { ctrlKey: true }), true)).toBeNull()
  expect(shortcutOf(press('o', { ctrlKey: true }), false)).toBe('addFiles')
  expect(shortcutOf(press('O', { ctrlKey: true, shiftKey: true }), false)).toBe('addFolder')
  expect(shortcutOf(press('k'), false)).toBeNull()
  expect(shortcutOf(press('k', { ctrlKey: true, altKey: true }), false)).toBeNull()
})

test('punctuation is recognised wherever it is on the keyboard', () => {
  expect(shortcutOf(press('?', { shiftKey: true }), false)).toBe('help')
  expect(shortcutOf(press('?'), false)).toBe('help')
  expect(shortcutOf(press('.', { ctrlKey: true, shiftKey: true }), false)).toBe('pause')
})

test('keys have the names printed on the keyboard', () => {
  expect(keysText(everywhere.addFolder, false)).toBe('Ctrl+Shift+O')
  expect(keysText(everywhere.addFolder, true)).toBe('⌘⇧O')
})

test('no two shortcuts have the same keys', () => {
  const all = Object.values(everywhere).map(({ keys }) => keys)
  expect(new Set(all).size).toBe(all.length)
})
