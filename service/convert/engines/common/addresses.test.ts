import { expect, test } from 'vitest'
import { dataAddress, decodePercent, readDataAddress } from './addresses.ts'

test('a file in an address, encoded in either way', () => {
  const bytes = Buffer.from([0, 1, 254, 255])
  expect(readDataAddress('data:image/PNG;base64,AAH+/w==')).toEqual({ mediaType: 'image/png', bytes })
  // As base64 itself is encoded in an address, and with spaces and line breaks as people wrap it.
  expect(readDataAddress(' data:image/png;charset=x; base64,AAH%2B\n/w%3D%3D')?.bytes).toEqual(bytes)
  expect(readDataAddress('data:image/svg+xml,%3Csvg a="50%"/>')?.bytes.toString()).toBe('<svg a="50%"/>')
  expect(readDataAddress('data:,')).toEqual({ mediaType: '', bytes: Buffer.alloc(0) })
  expect(readDataAddress('picture.png')).toBeUndefined()
  expect(readDataAddress('data:image/png')).toBeUndefined()
})

test('what is written is read by the platform', async () => {
  const bytes = Uint8Array.from({ length: 1000 }, (_, index) => index % 256).subarray(3)
  const answer = await fetch(dataAddress('image/png', bytes))
  expect(answer.headers.get('content-type')).toBe('image/png')
  expect(new Uint8Array(await answer.arrayBuffer())).toEqual(bytes)
})

test('signs that encode nothing stay', () => {
  expect(decodePercent('caf%C3%A9 100% %zz %C3')).toBe('café 100% %zz %C3')
})
