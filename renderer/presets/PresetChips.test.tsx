import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { PresetChips } from './PresetChips.tsx'
import { usePresets } from './store.ts'

test('presets are buttons, the active one pressed, and say how many files they leave as they are', () => {
  const preset = { name: '', builtIn: true, lastUsedAt: null }
  // Rendered as on a server, with a store's initial state.
  Object.assign(usePresets.getInitialState(), {
    presets: [
      { ...preset, id: 'web', choices: { png: { target: 'webp', options: {} } } },
      { ...preset, id: 'transcript', choices: { mp3: { target: 'txt', options: {} } } },
    ],
  })
  const page = renderToStaticMarkup(
    <MantineProvider>
      <PresetChips formats={new Map([['png', 1]])} chosen="web" onChoose={() => {}} />
    </MantineProvider>,
  )
  expect(page).toMatch(/aria-pressed="true"[^>]*>For the web</)
  expect(page).toMatch(/aria-pressed="false"[^>]*1 of these files stays[^>]*>Transcript</)
})
