import { expect, onTestFinished, test, vi } from 'vitest'
import { api } from '../../../api/client.ts'
import { useUsual, usualMetadata } from '../../../forms/usual.ts'

test('what the account has set holds once it was read, and what is chosen once it was kept', async () => {
  onTestFinished(() => {
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
    useUsual.setState({ metadata: null })
  })
  vi.stubGlobal('window', new EventTarget())
  const { loadSettings } = await import('./settings.ts')
  expect(usualMetadata()).toBe('no-place')
  vi.spyOn(api, 'settings').mockResolvedValue({ destination: null, metadata: 'none' })
  await loadSettings()
  expect(usualMetadata()).toBe('none')
  const keep = vi.spyOn(api, 'rememberMetadata').mockResolvedValue()
  await useUsual.getState().choose('all')
  expect(keep).toHaveBeenCalledWith({ keep: 'all' })
  expect(usualMetadata()).toBe('all')
})
