import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { describeFull, testFull } from '../../../../../testing/describe-full.ts'
import { testFiles } from '../../../../../testing/files.ts'
import { convertFile } from '../../../../../testing/fixtures/convert.ts'
import { few, onlyFull } from '../../../../../testing/fixtures/full.ts'
import { corpusFile, hasCorpus, tool } from '../../../../../testing/fixtures/media.ts'
import { pdfBlocks } from '../../../../../testing/pdf-structure.ts'
import { validatePdfA } from '../../../../../testing/pdfa.ts'
import { processorSeconds } from '../../../../../testing/processor-time.ts'

const files = testFiles('markdown')

const flat = (text: string) => text.replace(/\s+/g, ' ').trim()

async function pdfOf(markdown: string | Buffer, options = {}) {
  const bytes = typeof markdown === 'string' ? Buffer.from(markdown) : markdown
  const { path, warnings } = await convertFile('document.md-to-pdf', files.write(bytes, 'md'), options)
  return { path, warnings, text: flat(tool('pdftotext', path, '-')) }
}

const infoOf = (path: string) => tool('pdfinfo', path)
const dot =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg=='
const square =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='20' height='20'><rect width='20' height='20' fill='red'/></svg>"

const everything = `---
title: "The *whole* of it"
author: [Jane Doe, 王小明]
date: 2026-03-01
lang: en-GB
---

# Heading with \`code\`, $x^2$ and a note[^1]

**Bold**, *italic*, ~~struck~~, [a link](https://example.com/a?b=c), <kbd>Ctrl</kbd>, H<sub>2</sub>O, note[^1], again[^1].

> [!WARNING]
> Mind the gap.

- [x] done
- [ ] open
  1. first
  2. second

7. seven

| Left | Centre | Right |
|:-----|:------:|------:|
| a | b | 1.5 |

\`\`\`python
def f(x):  # #read("/etc/passwd")
    return "text"
\`\`\`

$$
\\sum_{i=0}^n i^2 = \\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}
$$

![dot](${dot}) ![square](<${square}>)

<details><summary>More</summary>

Hidden.

</details>

<table><tr><th>H</th><th colspan=2>I</th></tr><tr><td rowspan=2>1</td><td>2</td><td>3</td></tr><tr><td>4</td><td>5</td></tr></table>

中文段落 日本語 한국어 😀 שלום

هذه فقرة بالعربية.

## Second heading

Go to [the first](#heading-with-code-x2-and-a-note1) or [the place](#place). <a name="place"></a>

[^1]: The note with **bold**.
`

/** Files to be checked together, since the validator takes seconds to start. */
const conformant: string[] = []

describe('a document', () => {
  testFull('has all of its text, title, authors, outline and embedded fonts', async () => {
    const { path, text, warnings } = await pdfOf(everything, { toc: true })
    expect(warnings).toEqual([])
    for (const part of [
      'The *whole* of it',
      'Jane Doe, 王小明',
      'Contents',
      'Bold, italic, struck, a link',
      'Warning Mind the gap.',
      '☑ done',
      '☐ open',
      '1. first 2. second',
      '7. seven',
      'Left Centre Right a b 1.5',
      'def f(x): # #read("/etc/passwd")',
      'Hidden.',
      '中文段落 日本語 한국어 😀',
      'The note with bold.',
    ]) {
      expect(text).toContain(part)
    }
    const info = infoOf(path)
    expect(info).toMatch(/Title: +The \*whole\* of it/)
    expect(info).toMatch(/Author: +Jane Doe, 王小明/)
    expect(info).toMatch(/CreationDate: +Sun Mar +1 .*2026/)
    for (const font of tool('pdffonts', path).trim().split('\n').slice(2))
      expect(font).toMatch(/ yes yes yes /)
    expect(tool('qpdf', '--check', path)).toContain('No syntax or stream encoding errors')
    const objects = JSON.parse(tool('qpdf', '--json', '--json-key=outlines', path)) as {
      outlines: { title: string; kids: { title: string }[] }[]
    }
    expect(objects.outlines.map(({ title, kids }) => [title, kids.map(kid => kid.title)])).toEqual([
      [expect.stringContaining('Heading with code'), ['Second heading']],
    ])
    expect(tool('pdfimages', '-list', path).trim().split('\n').length).toBeGreaterThanOrEqual(4)
    const links = tool('qpdf', '--qdf', '--object-streams=disable', path, '-')
    expect(links).toContain('(https://example.com/a?b=c)')
    // The contents, both links of the last line, and the footnote marks lead into the document.
    expect(links.match(/\/Dest |\/GoTo/g)?.length).toBeGreaterThanOrEqual(5)
  })

  test.each(few(1, ['modern', 'classic', 'academic']))(
    'is PDF/A in the theme %s, whatever letters it contains',
    async theme => {
      const { path, warnings } = await pdfOf(`${everything}\n\nUnknown: \u{1340d} \u{e000}`, {
        theme,
        pdfa: true,
        toc: true,
      })
      expect(warnings).toEqual([expect.stringMatching(/^No font on this computer/)])
      conformant.push(path)
    },
  )

  testFull('with letters that no font has is PDF/A too, with a substitute for them', async () => {
    const { path, warnings } = await pdfOf(
      '---\ntitle: \u{1340d}\nauthor: \u{1340d}\n---\n# \u{1340d}\n\na \u{e000} \u{11c00}\u{11c30} ᠮᠣ\n\n$\\text{\u{1340d}}$',
      { pdfa: true },
    )
    expect(warnings).toEqual([
      expect.stringContaining('shows these scripts properly: Mongolian.'),
      expect.stringMatching(/^No font on this computer has/),
    ])
    conformant.push(path)
  })

  testFull('puts the letters of Hindi together', async () => {
    const { path, warnings } = await pdfOf('# Hindi\n\nहिन्दी में लिखा हुआ क्षत्रिय पाठ')
    expect(warnings).toEqual([])
    expect(tool('pdffonts', path)).toMatch(/NotoSans|Devanagari|Nirmala/)
  })

  testFull('all PDF/A files conform', async () => {
    expect(conformant).toHaveLength(4)
    expect(await validatePdfA(conformant)).toEqual({})
  })

  testFull('is accessible (PDF/UA-1) and says so, whatever it holds', async () => {
    const { path } = await pdfOf(everything, { toc: true })
    const book = `# A book\n\n${'A line of text. '.repeat(900)}\n\n### Deeper\n\n$$x^2$$\n\n|a|b|\n|-|-|\n${'|c[^1]|d|\n'.repeat(80)}\n\n[^1]: Note.`
    const long = (await pdfOf(book, { toc: true, theme: 'academic' })).path
    expect(await validatePdfA([path, long], 'ua1')).toEqual({})
    expect(readFileSync(path, 'latin1')).toContain('pdfuaid:part')
    const tags = pdfBlocks(path).map(({ tag }) => tag)
    expect(tags).toEqual(expect.arrayContaining(['H1', 'H2', 'P', 'LBody', 'TH', 'TD']))
  })

  test('with a picture without a description does not claim to be accessible', async () => {
    const { path, warnings } = await pdfOf(`# Title\n\n![](${dot}) ![dot](${dot})`, { accessible: true })
    expect(warnings).toEqual([expect.stringMatching(/^A picture has no description/)])
    expect(readFileSync(path, 'latin1')).not.toContain('pdfuaid:part')
  })

  test.each([
    [{ pageSize: 'letter' }, '612 x 792 pts'],
    [{ pageSize: 'a5', landscape: true }, '595.276 x 419.528 pts'],
  ])('has the pages of %j', async (options, size) => {
    expect(infoOf((await pdfOf('# Hi', options)).path)).toContain(size)
  })

  testFull('takes its title from the first heading, or from its name', async () => {
    expect(infoOf((await pdfOf('text\n\n# *First* & last')).path)).toMatch(/Title: +First & last/)
    expect(infoOf((await pdfOf('text')).path)).toMatch(/Title: +\d+/)
  })
})

describe('code and files', () => {
  const secret = files.write(Buffer.from('S3CRET'), 'txt')

  test.each([
    ['as text', `#read("${secret}") #import "@preview/cetz:0.2.0": * #eval("1+1") #sys.version`],
    ['in code', `\`#read("${secret}")\` \`"); #read("${secret}")\``],
    [
      'in formulas',
      `$\\operatorname{a"#read("${secret}")"}$ $\\std.read(x)$ $#read("${secret}")$ $\\text{\\\\}#read("${secret}")$ $\\text{a\\}$`,
    ],
    [
      'in links and headings',
      `# "] #read("${secret}")\n\n[x](<http://a/"]#read("${secret}")>) [y](#"]#panic())`,
    ],
    ['in languages of code', `\`\`\`"+read("${secret}")+"\nx\n\`\`\``],
    ['in front matter', `---\ntitle: '") #read("${secret}")'\nlang: '"+read("${secret}")+"'\n---\nx`],
    [
      'in HTML',
      `<a href='http://a/")#read("${secret}")' name='")#panic()'>x</a><b title='#read'>#read("${secret}")</b>`,
    ],
    ['in alternative texts', `![a"]#read("${secret}")](${dot})`],
  ])('are not read %s', async (_, markdown) => {
    const { text } = await pdfOf(markdown)
    expect(text.replace(/\s/g, '')).not.toContain('S3CRET')
    expect(text).not.toContain('0.14')
  })

  test('pictures outside the file are replaced by a note', async () => {
    const outside = `![one](${secret}) ![two](../x.png) ![](https://example.com/pic.png) <img src="file://${secret}" alt="four">`
    const { text, warnings } = await pdfOf(outside)
    expect(text).toContain('[one] [two] [pic.png] [four]')
    expect(warnings).toEqual([expect.stringMatching(/^4 pictures are not part of the file/)])
  })

  test('an invalid picture is replaced by a note', async () => {
    const { text, warnings } = await pdfOf('![broken](data:image/png;base64,iVBORw0KGgoAAAA=) end')
    expect(text).toBe('[broken] end 1')
    expect(warnings).toEqual([expect.stringMatching(/^A picture in the text is damaged/)])
  })

  test('a formula that cannot be set appears as its source', async () => {
    const { text } = await pdfOf(
      'A $\\foo{x}$, $\\begin{nothing}x\\end{nothing}$ and $\\frac{1}{2$, but costs $5 and $6.',
    )
    expect(text).toContain('$\\foo{x}$')
    expect(text).toContain('$\\begin{nothing}x\\end{nothing}$')
    expect(text).toContain('but costs $5 and $6.')
  })
})

describe('encodings', () => {
  const text = 'Grüße aus Köln, €5, für Gäste'
  const wide = Buffer.from(`\uFEFF${text}`, 'utf16le')
  test.each(
    few(3, [
      ['UTF-8', Buffer.from(text)],
      ['UTF-8 with its mark', Buffer.from(`\uFEFF${text}`)],
      ['UTF-16LE', wide],
      ['UTF-16BE', Buffer.from(wide).swap16()],
      ['UTF-16LE without its mark', Buffer.from(text, 'utf16le')],
      ['Windows-1252', Buffer.from(text.replace('€', '\u0080'), 'latin1')],
    ]),
  )('%s', async (_, bytes) => {
    expect((await pdfOf(bytes)).text).toContain(text)
  })
})

describe('hostile files', () => {
  const repeat = (text: string, times: number) => text.repeat(times)
  test.each(
    few(1, [
      ['quotes', `${repeat('> ', 3000)}x`],
      ['lists', Array.from({ length: 200 }, (_, depth) => `${repeat('  ', depth)}- x`).join('\n')],
      ['marks', `${repeat('*a ', 3000)}${repeat('b* ', 3000)}x`],
      ['brackets', `${repeat('[', 20_000)}x`],
      ['tags', `${repeat('<b>', 5000)}x`],
      ['tables of HTML', `${repeat('<table><tr><td>', 100)}x`],
      ['groups of a formula', `x $${repeat('\\frac{', 200)}1${repeat('}{y}', 200)}$ $${repeat('{', 3000)}$`],
      [
        'notes',
        `${Array.from({ length: 300 }, (_, nth) => `[^${nth}]: x [^${nth + 1}]\n\n`).join('')}x[^0] [^299]`,
      ],
      [
        'all within all',
        `${repeat('> - ', 9)}${repeat('**_~~', 12)}x $x^2$${repeat('~~_**', 12)}${repeat('<i><sub><kbd>', 9)}`,
      ],
    ]),
  )('with %s nested deeply are set', async (_, markdown) => {
    expect((await pdfOf(markdown)).text).toContain('x')
  })

  testFull('a word of 100,000 letters stays on the pages', async () => {
    const { path } = await pdfOf(`${repeat('a', 100_000)}\n\n\`\`\`\n${repeat('b', 50_000)}\n\`\`\``)
    const count = flat(tool('pdftotext', path, '-')).match(/[ab]/g)?.length
    expect(count).toBe(150_000)
    expect(Number(/Pages: +(\d+)/.exec(infoOf(path))?.[1])).toBeGreaterThan(10)
  })

  test.each([
    ['binary', Buffer.from(Array.from({ length: 4000 }, (_, nth) => ((nth * 7919) % 251) % 32))],
    ['blank', Buffer.from(' \n\n\t\n')],
    ['silent', Buffer.from('<!-- nothing -->\n\n[a]: http://x.y\n')],
  ])('a %s file is told so', async (_, bytes) => {
    await expect(pdfOf(bytes)).rejects.toMatchObject({ code: 'jobs.corrupt_input' })
  })
})

const corpus = corpusFile('md')

describeFull('corpus', hasCorpus, () => {
  test('keep their words', async () => {
    for (const name of readdirSync(corpus)) {
      const { path } = await convertFile('document.md-to-pdf', join(corpus, name))
      const words = new Set(flat(tool('pdftotext', path, '-').replaceAll('\u200b', '')).match(/\p{L}{4,}/gu))
      const source = readFileSync(join(corpus, name), 'utf8').replace(
        /^---\n[\s\S]*?\n---\n|<!--[\s\S]*?-->|<[^>]*>|\]\([^)]*\)|https?:\S+/g,
        ' ',
      )
      const wanted = [...new Set(source.match(/(?<![&\w])\p{L}{4,}/gu))]
      const kept = wanted.filter(word => words.has(word)).length
      expect(kept / wanted.length, name).toBeGreaterThan(0.9)
    }
  })
})

const floods: [name: string, markdown: string, expected: RegExp][] = [
  [
    'marks over one letter',
    `Before\n\na${'\u0301\u0323'.repeat(50_000)}\n\nAfter`,
    /(?=.*Before)(?=.* a)(?=.*After)/s,
  ],
  ['columns', `|first|${'a|'.repeat(10_000)}\n|-|${'-|'.repeat(10_000)}\n|last|`, /first a .* last/],
]

test.each(onlyFull(floods))(
  'a flood of %s takes no longer than other text',
  async (_, markdown, expected) => {
    const seconds = await processorSeconds(async () => expect((await pdfOf(markdown)).text).toMatch(expected))
    // Before there was a limit, both took minutes.
    expect(seconds).toBeLessThan(10)
  },
)
