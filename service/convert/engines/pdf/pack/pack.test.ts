import { expect, test } from 'vitest'
import { testFiles } from '../../../../../testing/files.ts'
import { tool } from '../../../../../testing/samples/media.ts'
import { packObjects } from './pack.ts'

const files = testFiles('pdf-pack')

/** A PDF of a page and this many elements of structure, written as LibreOffice does. */
function tagged(elements: number, trailer = ''): Buffer {
  const ids = Array.from({ length: elements }, (_, index) => index + 7)
  const objects = [
    '<</Type/Catalog/Pages 2 0 R/StructTreeRoot 6 0 R/MarkInfo<</Marked true>>>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R>>',
    '<</Length 5 0 R>>\nstream\n0 0 9 9 re f\nendstream',
    '12',
    `<</Type/StructTreeRoot/K[${ids.map(id => `${id} 0 R`).join(' ')}]>>`,
    ...ids.map(() => '<</Type/StructElem\n/S/TD\n/P 6 0 R\n/Pg 3 0 R\n/K[]\n>>'),
  ]
  let text = '%PDF-1.7\n'
  const offsets = objects.map((object, index) => {
    const at = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n\n`
    return `${String(at).padStart(10, '0')} 00000 n \n`
  })
  const start = text.length
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}trailer\n<</Size ${objects.length + 1}/Root 1 0 R${trailer}>>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(text)
}

const objectsOf = (path: string) =>
  JSON.parse(tool('qpdf', '--json=1', '--json-key=objects', path)).objects as Record<string, unknown>

test('packed, a document has the same objects in a fraction of the bytes', async () => {
  const plain = tagged(900)
  const packed = await packObjects(plain)
  expect(packed.length).toBeLessThan(plain.length / 8)
  const [before, after] = [files.write(plain, 'pdf'), files.write(packed, 'pdf')]
  expect(tool('qpdf', '--check', after)).toContain('No syntax or stream encoding errors')
  expect(objectsOf(after)).toMatchObject({ ...objectsOf(before), trailer: expect.anything() })
})

test('what is protected, was changed later or is damaged stays as it is', async () => {
  const cut = tagged(900).subarray(0, -200)
  const misplaced = Buffer.from(tagged(900).toString().replace('%PDF-1.7', '%PDF-1.7 '))
  for (const file of [
    tagged(900, '/Encrypt 5 0 R'),
    tagged(900, '/Prev 10'),
    cut,
    misplaced,
    Buffer.alloc(0),
  ])
    expect(await packObjects(file)).toBe(file)
})
