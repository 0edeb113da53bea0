import { expect, test } from 'vitest'
import { checkRtf, withoutEmptyBinaries } from './rtf.ts'

const rtf = (body: string) => `{\\rtf1\\ansi ${body}}`

test.each([
  ['binary data with anything in it', `{\\pict\\bin9 \\bin99999} after`],
  ['text that looks like a control word', 'C:\\\\bin2147483647 and \\\\cellx'],
  ['many rows of many cells', `\\trowd${'\\cellx1'.repeat(5000)}\\row`.repeat(5)],
  ['escaped brackets', '\\{'.repeat(20_000)],
])('%s passes', (_, body) => {
  expect(() => checkRtf(rtf(body))).not.toThrow()
})

test.each([
  ['binary data longer than the file', '{\\pict\\bin2147483647 x}', 'jobs.corrupt_input'],
  ['binary data of less than nothing', '\\bin-2147483648 x', 'jobs.corrupt_input'],
  ['a row of very many cells', `\\trowd${'\\cellx1'.repeat(10_001)}\\row`, 'jobs.too_large'],
  ['brackets in one another', '{'.repeat(10_001), 'jobs.too_large'],
])('%s is refused', (_, body, code) => {
  expect(() => checkRtf(rtf(body))).toThrow(expect.objectContaining({ code }))
})

test('pictures marked as binary without a length are read as hexadecimal digits', () => {
  const digits = '89504e470d0a1a0a'
  expect(withoutEmptyBinaries(`{\\pict\\pngblip\\bin ${digits}}`)).toBe(`{\\pict\\pngblip ${digits}}`)
  const binary = `{\\pict\\bin16 ${digits}}`
  expect(withoutEmptyBinaries(binary)).toBe(binary)
})
