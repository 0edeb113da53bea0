import { expect, test, vi } from 'vitest'
import { writtenNow } from './settling.ts'

vi.mock('node:fs/promises', async importActual => ({
  ...(await importActual<typeof import('node:fs/promises')>()),
  open: async (path: string) => {
    if (path !== 'free') throw Object.assign(new Error(path), { code: path })
    return { close: async () => {} }
  },
}))

test('on Windows, a file that cannot be opened as another shares it with nobody is being written', async () => {
  vi.spyOn(process, 'platform', 'get').mockReturnValue('win32')
  // A file that may only be read gives EPERM or EACCES.
  expect(await writtenNow(['free', 'EBUSY', 'EPERM', 'EACCES', 'ENOENT'])).toEqual(new Set(['EBUSY']))
})
