import { expect, test } from 'vitest'
import type { ChosenPair, LastChoice } from '../../../../service/web/app/types.ts'
import { createMemoryStore } from './memory.ts'

test('the last choice for each pair and format is what the service stores', async () => {
  let kept: LastChoice[] = []
  const store = createMemoryStore({
    choices: async () => kept,
    rememberChoices: async (choices: ChosenPair[]) => {
      // A page range is not stored.
      kept = [...choices.map(choice => ({ ...choice, options: {}, usedAt: '' })), ...kept]
    },
  })
  await store.getState().remember([{ source: 'pdf', target: 'jpg', options: { pages: '2' } }])
  kept.push({ source: 'pdf', target: 'png', options: { dpi: 72 }, usedAt: '' })
  await store.getState().load()
  const { targetOf, optionsOf } = store.getState()
  expect([targetOf('pdf'), targetOf('md')]).toEqual(['jpg', undefined])
  expect([optionsOf('pdf', 'jpg'), optionsOf('pdf', 'png'), optionsOf('pdf', 'md')]).toEqual([
    {},
    { dpi: 72 },
    undefined,
  ])
})
