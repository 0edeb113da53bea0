import { expect, test } from 'vitest'
import { countBinaryCells, countCells, countRecords } from './cells.ts'

test('cells with a value are counted in XML', () => {
  const xlsx = '<row r="1"><c r="A1"><v>1</v></c><c r="B1"/><x:c r="C1"><x:v>2</x:v></x:c></row>'
  expect(countCells(Buffer.from(xlsx), 'xlsx')).toBe(2)
  const ods =
    '<table:table-cell office:value-type="float" calcext:value-type="float" office:value="1"/><table:table-cell/>'
  expect(countCells(Buffer.from(ods), 'ods')).toBe(1)
})

const record = (type: number, size: number) => {
  const bytes = Buffer.alloc(4 + size)
  bytes.writeUInt16LE(type)
  bytes.writeUInt16LE(size, 2)
  return bytes
}

test('cells are counted among the records of older workbooks, of which one may hold several', () => {
  const [start, number, label, three, format] = [
    record(0x809, 16),
    record(0x203, 14),
    record(0xfd, 10),
    record(0xbd, 24),
    record(0x41e, 5),
  ]
  expect(countRecords(Buffer.concat([start, number, format, three, label]))).toBe(5)
  expect(countRecords(Buffer.concat([number, Buffer.from([3, 2, 255])]))).toBe(1)
})

test('cells are counted in binary workbooks', () => {
  const row = [0, 2, 9, 9]
  const blank = [1, 1, 0]
  const number = [5, 1, 0]
  // Type 0x95 in two bytes, and a size of 128 bytes in two.
  const other = [0x95, 0x01, 0x80, 0x01, ...Array.from({ length: 128 }, () => 5)]
  expect(countBinaryCells(Buffer.from([...row, ...number, ...blank, ...other, ...number, 7, 0]))).toBe(3)
})
