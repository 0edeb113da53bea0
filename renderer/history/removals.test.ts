import { expect, onTestFinished, test, vi } from 'vitest'
import { onPageHide } from '../ui/page-hide.ts'
import { removals } from './removals.ts'
import { useHistory } from './store.ts'

test('a removal that could still be undone is sent when the page is left, in a request that outlives it', () => {
  const [page, send] = [new EventTarget(), vi.fn(async () => new Response(null, { status: 204 }))]
  vi.stubGlobal('window', page)
  vi.stubGlobal('fetch', send)
  vi.stubGlobal('localStorage', { getItem: () => 'half' })
  onTestFinished(() => void vi.unstubAllGlobals())
  onTestFinished(onPageHide(removals.finish))
  for (const id of ['gone', 'kept']) removals.start(id)
  removals.undo('kept')
  expect(useHistory.getState().leaving).toEqual(new Set(['gone']))
  expect(send).not.toHaveBeenCalled()
  page.dispatchEvent(new Event('pagehide'))
  expect(send.mock.calls).toMatchObject([
    ['/app/history/gone', { method: 'DELETE', keepalive: true, headers: { 'x-service-session': 'half' } }],
  ])
})
