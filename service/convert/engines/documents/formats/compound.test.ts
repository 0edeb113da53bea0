import { expect, test } from 'vitest'
import { compound } from '../../../../../testing/compound.ts'
import { CompoundFile } from './compound.ts'

test('a stream that ends before its length is damaged', () => {
  const file = compound({ WordDocument: Buffer.alloc(4096) })
  expect(new CompoundFile(file).stream('WordDocument')).toHaveLength(4096)
  // The length that the second entry of the directory says.
  file.writeUInt32LE(9000, 512 + 128 + 120)
  expect(() => new CompoundFile(file).stream('WordDocument')).toThrow('cut off')
})
