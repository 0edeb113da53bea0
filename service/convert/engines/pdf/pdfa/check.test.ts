import { PDFDocument, PDFName } from '@cantoo/pdf-lib'
import { expect, test } from 'vitest'
import { checkPages } from './check.ts'

test('a Type 3 font whose resources include itself is checked once', async () => {
  const document = await PDFDocument.create()
  const { context } = document
  const page = document.addPage()
  const font = context.obj({
    Type: 'Font',
    Subtype: 'Type3',
    FontBBox: [0, 0, 1, 1],
    FontMatrix: [1, 0, 0, 1, 0, 0],
    CharProcs: { a: context.register(context.stream('nonsense')) },
    Encoding: { Differences: [97, 'a'] },
    FirstChar: 97,
    LastChar: 97,
    Widths: [1],
  })
  const resources = context.obj({ Font: { F: context.register(font) } })
  font.set(PDFName.of('Resources'), resources)
  page.node.set(PDFName.of('Resources'), resources)
  const { problems } = checkPages(document, new Set())
  expect(problems).toEqual([['an unknown operator']])
})
