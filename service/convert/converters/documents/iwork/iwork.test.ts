import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { testFull } from '../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { few } from '../../../../../testing/fixtures/full.ts'
import { tool } from '../../../../../testing/fixtures/media.ts'
import { identify } from '../../../../work/intake/identify.ts'

const files = testFiles('iwork')
const jpg = files.path('page.jpg')
const pdf = files.path('page.pdf')

/** A package of these files, zipped as Apple's programs do: stored. */
function packed(name: string, parts: Record<string, string>): string {
  const folder = files.path(`${name}-parts`)
  rmSync(folder, { recursive: true, force: true })
  for (const [part, source] of Object.entries(parts)) {
    mkdirSync(dirname(join(folder, part)), { recursive: true })
    execFileSync('cp', [source, join(folder, part)])
  }
  rmSync(files.path(name), { force: true })
  execFileSync('bsdtar', [
    '-c',
    '--format',
    'zip',
    '-f',
    files.path(name),
    '-C',
    folder,
    ...Object.keys(parts),
  ])
  return files.path(name)
}

beforeAll(() => {
  tool('convert', '-size', '120x160', 'gradient:red-blue', jpg)
  const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 120 160]>>'
  const objects = ['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]>>', page, page]
  const body = objects.map((object, at) => `${at + 1} 0 obj${object}endobj\n`).join('')
  writeFileSync(pdf, `%PDF-1.4\n${body}trailer<</Root 1 0 R/Size 5>>\n%%EOF\n`)
  writeFileSync(files.path('data.iwa'), 'x')
})

const index = () => ({ 'Index/Document.iwa': files.path('data.iwa') })

describe.each(few(1, ['pages', 'numbers', 'key']))('%s', format => {
  test('becomes the preview in it, and says so', async () => {
    const file = packed(`a.${format}`, { ...index(), 'preview.jpg': jpg })
    expect(await identify(file, `a.${format}`)).toBe(format)
    for (const target of ['pdf', 'jpg', 'png']) {
      const { path, warnings } = await convertFile(`document.${format}-to-${target}`, file)
      expect(warnings).toEqual([expect.stringContaining('preview')])
      if (target === 'pdf') expect(tool('pdfinfo', path)).toMatch(/Pages:\s+1/)
      else expect(tool('identify', '-format', '%m %wx%h', path)).toMatch(/^(JPEG|PNG) 120x160$/)
    }
  })

  testFull('keeps all pages of a preview that is a PDF', async () => {
    const file = packed(`b.${format}`, { 'QuickLook/Preview.pdf': pdf, 'QuickLook/Thumbnail.jpg': jpg })
    const { path, warnings } = await convertFile(`document.${format}-to-pdf`, file)
    expect(tool('pdfinfo', path)).toMatch(/Pages:\s+2/)
    expect(warnings).toHaveLength(1)
  })

  test('fails without a preview', async () => {
    const file = packed(`c.${format}`, index())
    await expect(convertFile(`document.${format}-to-pdf`, file)).rejects.toMatchObject({
      code: 'jobs.unsupported_input',
    })
  })
})
