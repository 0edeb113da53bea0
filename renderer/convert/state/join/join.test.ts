import { afterEach, expect, test } from 'vitest'
import { useJoin } from './join.ts'

const { ask, close, move, want } = useJoin.getState()
const order = () => useJoin.getState().order.join(' ')

afterEach(close)

test('a file is moved up and down, and no further than the ends', () => {
  ask({ into: 'pdf', keys: ['a', 'b', 'c', 'd'] })
  move('c', 0)
  expect(order()).toBe('c a b d')
  move('c', 2)
  expect(order()).toBe('a b c d')
  move('b', 9)
  move('d', -3)
  expect(order()).toBe('d a c b')
  const before = useJoin.getState().order
  move('d', 0)
  move('gone', 1)
  expect(useJoin.getState().order).toBe(before)
})

test('asking for the order fulfils the wish to join what is added', () => {
  want(true)
  ask({ into: 'pdf', keys: ['a', 'b'] })
  expect(useJoin.getState()).toMatchObject({ isWanted: false, isAsking: true, order: ['a', 'b'] })
  close()
  expect(useJoin.getState().isAsking).toBe(false)
})
