import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { testFiles } from '../../../../../../testing/files.ts'
import { convertFile } from '../../../../../../testing/fixtures/convert.ts'
import { tool } from '../../../../../../testing/fixtures/media.ts'
import { pptx } from '../../../../../../testing/fixtures/slides.ts'

const files = testFiles('slides')

const source = `# First slide

- one
    - below **bold**
- [two](https://example.com/a)

::: notes
Say hello.
:::

# Second

1. a
2. b

| A | B |
|---|---|
| 1 | 2 |
`

test('slides become headings with their lists, tables and links, and notes on request', async () => {
  const path = files.path('deck.pptx')
  tool('pandoc', '-f', 'markdown', '-o', path, files.write(Buffer.from(source), 'md'))
  const { path: made } = await convertFile('document.pptx-to-md', path, { notes: true })
  expect(readFileSync(made, 'utf8')).toBe(`# First slide

- one
  - below **bold**
- [two](https://example.com/a)

> Say hello.

# Second

1. a
2. b

| A | B |
| --- | --- |
| 1 | 2 |
`)
  const text = readFileSync((await convertFile('document.pptx-to-txt', path)).path, 'utf8')
  expect(text).toMatch(/^First slide\n\n- one/)
  expect(text).not.toContain('hello')
})

test('hidden slides are left out unless wanted, and a damaged file fails with the right code', async () => {
  const path = files.write(pptx(['one', '-two', 'three']), 'pptx')
  const text = async (options = {}) =>
    readFileSync((await convertFile('document.pptx-to-txt', path, options)).path, 'utf8')
  expect(await text()).not.toContain('two')
  expect(await text({ hiddenSlides: true })).toContain('two')
  const cut = files.write(readFileSync(path).subarray(0, 900), 'pptx')
  await expect(convertFile('document.pptx-to-txt', cut)).rejects.toMatchObject({ code: 'jobs.corrupt_input' })
})
