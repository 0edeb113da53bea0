import { linkSync, renameSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { lively, make, mediaFolder } from '../../test/media.ts'
import { probe } from './probe.ts'

const folder = mediaFolder()
const at = (name: string) => join(folder, name)

beforeAll(() => {
  make(at('a.wav'), ...lively(2))
})

describe('a file that was looked into', () => {
  it('is known again wherever it is, until it changes', async () => {
    const seen = await probe(at('a.wav'))
    expect(seen).toMatchObject({ container: 'wav', seconds: 2, seekable: true })
    linkSync(at('a.wav'), at('link.wav'))
    expect(await probe(at('link.wav'))).toBe(seen)
    renameSync(at('link.wav'), at('moved.wav'))
    expect(await probe(at('moved.wav'))).toBe(seen)

    utimesSync(at('a.wav'), new Date(), new Date(Date.now() + 5000))
    const again = await probe(at('a.wav'))
    expect(again).not.toBe(seen)
    expect(again).toEqual(seen)
    make(at('a.wav'), ...lively(3, 48_000))
    expect((await probe(at('a.wav'))).seconds).toBe(3)
  })

  it('is forgotten after many others', async () => {
    const seen = await probe(at('a.wav'))
    for (let number = 0; number < 16; number++) {
      utimesSync(at('moved.wav'), new Date(), new Date(1e12 + number * 1000))
      await probe(at('moved.wav'))
    }
    expect(await probe(at('a.wav'))).not.toBe(seen)
  })

  it('that is gone is not known any more', async () => {
    await expect(probe(at('never.wav'))).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
