import { expect, test } from 'vitest'
import { factsOfAll } from './facts.ts'

test('for several files an option stays if it is relevant for one of them', () => {
  const still = { frames: 1, alpha: false, width: 800, height: 600 }
  const moving = { frames: 12, alpha: true, width: 800, height: 450 }
  expect(factsOfAll([still, moving])).toEqual({ frames: 12, alpha: true, width: 800 })
  expect(factsOfAll([still])).toEqual(still)
  expect(factsOfAll([])).toEqual({})
})

test('a fact unknown for one file is unknown for all', () => {
  expect(factsOfAll([{ frames: 1, metadata: false }, { metadata: false }])).toEqual({ metadata: false })
})
