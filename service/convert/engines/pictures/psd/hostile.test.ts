import { describe, expect, test } from 'vitest'
import { malformed } from '../../../../../testing/malformed.ts'
import { type LayerSpec, psd, versionInfo } from '../../../../../testing/psd.ts'
import { base, compressions, plane } from '../../../../../testing/psd-planes.ts'
import { JobFailure } from '../../../../shared/errors.ts'
import { readPsd } from './index.ts'

describe('hostile documents', () => {
  const attempt = (bytes: Buffer): string => {
    try {
      readPsd(bytes)
      return 'read'
    } catch (error) {
      if (error instanceof JobFailure) return error.code
      throw error
    }
  }

  test('headers that claim too much are refused before memory is allocated', () => {
    const bytes = psd({ ...base, mode: 'rgb', planes: [0, 1, 2].map(plane) })
    const changed = (offset: number, value: number) => {
      const copy = Buffer.from(bytes)
      copy.writeUInt32BE(value, offset)
      return attempt(copy)
    }
    expect(changed(14, 30_000)).toBe('jobs.corrupt_input')
    expect(changed(14, 300_000)).toBe('jobs.corrupt_input')
    const huge = Buffer.from(bytes)
    huge.writeUInt32BE(300_000, 14)
    huge.writeUInt32BE(300_000, 18)
    expect(attempt(huge)).toBe('jobs.too_large')
    expect(attempt(Buffer.from('8BPS'))).toBe('jobs.corrupt_input')
    expect(attempt(Buffer.alloc(100))).toBe('jobs.corrupt_input')
  })

  const layers: LayerSpec[] = [
    { divider: { type: 3 } },
    {
      ...base,
      channels: { '-1': plane(4), 0: plane(0), 1: plane(1), 2: plane(2), '-2': plane(3) },
      mask: { left: 0, top: 0, ...base, outside: 255 },
      blend: 'sLit',
    },
    { divider: { type: 1 } },
  ]
  test.each(compressions)('damage under %s fails cleanly', compression => {
    const bytes = psd({
      ...base,
      mode: 'rgb',
      planes: [0, 1, 2].map(plane),
      compression,
      layers,
      resources: { 1057: versionInfo(false) },
    })
    expect(attempt(bytes)).toBe('read')
    const outcomes = malformed(bytes, 64).map(({ bytes: damaged }) => attempt(damaged))
    // A truncated document shows what it has.
    expect(outcomes.slice(1, 3)).toEqual(['read', 'read'])
  })
})
