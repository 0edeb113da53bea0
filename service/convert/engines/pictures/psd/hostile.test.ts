import { describe, expect, test } from 'vitest'
import { malformed } from '../../../../../testing/malformed.ts'
import { type LayerSpec, psd, versionInfo } from '../../../../../testing/psd.ts'
import { base, compressions, plane } from '../../../../../testing/psd-planes.ts'
import { JobFailure } from '../../../../shared/errors.ts'
import { readDocument } from './document.ts'
import { readPsd } from './index.ts'

describe('hostile documents', () => {
  const attempt = async (bytes: Buffer): Promise<string> => {
    try {
      await readPsd(bytes)
      return 'read'
    } catch (error) {
      if (error instanceof JobFailure) return error.code
      throw error
    }
  }

  test('Photoshop’s own most channels are read, and no more', async () => {
    const channels = (count: number) =>
      psd({ ...base, mode: 'rgb', planes: Array.from({ length: count }, (_, at) => plane(at)) })
    expect(await attempt(channels(57))).toBe('read')
    expect(await attempt(channels(58))).toBe('jobs.corrupt_input')
  })

  test('headers that claim too much are refused before memory is allocated', async () => {
    const bytes = psd({ ...base, mode: 'rgb', planes: [0, 1, 2].map(plane) })
    const changed = (offset: number, value: number) => {
      const copy = Buffer.from(bytes)
      copy.writeUInt32BE(value, offset)
      return attempt(copy)
    }
    expect(await changed(14, 30_000)).toBe('jobs.corrupt_input')
    expect(await changed(14, 300_000)).toBe('jobs.corrupt_input')
    const huge = Buffer.from(bytes)
    huge.writeUInt32BE(300_000, 14)
    huge.writeUInt32BE(300_000, 18)
    expect(await attempt(huge)).toBe('jobs.too_large')
    expect(await attempt(Buffer.from('8BPS'))).toBe('jobs.corrupt_input')
    expect(await attempt(Buffer.alloc(100))).toBe('jobs.corrupt_input')
  })

  test('rows that are hardly there are refused before memory is allocated', async () => {
    const bytes = psd({ ...base, mode: 'rgb', planes: [0, 1, 2].map(plane), compression: 'packbits' })
    const { merged } = readDocument(bytes)
    const cut = bytes.subarray(0, merged.position + 2 + 2 * 3 * base.height)
    await expect(readPsd(cut)).rejects.toMatchObject({ reason: { key: 'psd.damaged_pixels' } })
  })

  test.each(compressions)('damage under %s fails cleanly', async compression => {
    const bytes = psd({ ...base, mode: 'rgb', planes: [0, 1, 2].map(plane), compression })
    expect(await attempt(bytes)).toBe('read')
    for (const { bytes: damaged } of malformed(bytes, 64)) await attempt(damaged)
  })

  test('damaged layers without a merged picture fail cleanly', async () => {
    const layers: LayerSpec[] = [
      { ...base, channels: { '-1': plane(4), 0: plane(0), 1: plane(1), 2: plane(2) }, blend: 'sLit' },
    ]
    const unmerged = { 1057: versionInfo(false) }
    const bytes = psd({ ...base, mode: 'rgb', planes: [0, 1, 2].map(plane), layers, resources: unmerged })
    expect(await attempt(bytes)).toBe('read')
    for (const { bytes: damaged } of malformed(bytes, 64)) await attempt(damaged)
  })
})
