import { expect, onTestFinished, test, vi } from 'vitest'
import { useTable } from '../store.ts'
import { useUndo } from '../undo.ts'
import { useRemoval } from './removal.ts'

test('what is removed is hidden at once, and gone once that cannot be undone any more', () => {
  vi.useFakeTimers()
  const { discard } = useTable.getState()
  onTestFinished(() => {
    vi.useRealTimers()
    useTable.setState({ discard })
  })
  const gone = vi.fn()
  useTable.setState({ discard: gone })
  useUndo.setState({ steps: [] })
  const { remove } = useRemoval.getState()
  remove(new Set(['a']))
  expect(useRemoval.getState()).toMatchObject({ hidden: new Set(['a']), undoable: '1 file removed' })
  useUndo.getState().undo()
  expect(useRemoval.getState()).toMatchObject({ hidden: new Set(), undoable: null })
  vi.advanceTimersByTime(60_000)
  expect(gone).not.toHaveBeenCalled()
  remove(new Set(['a']))
  // Only the latest can be undone.
  remove(new Set(['b']), 'Joined')
  expect(gone.mock.calls).toEqual([[['a']]])
  expect(useRemoval.getState().undoable).toBe('Joined')
  vi.advanceTimersByTime(60_000)
  expect(gone.mock.calls).toEqual([[['a']], [['b']]])
  expect(useUndo.getState().steps).toEqual([])
})
