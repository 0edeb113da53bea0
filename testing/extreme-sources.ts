/** A small source for every conversion that has options. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { strToU8, zipSync } from 'fflate'
import { bundled } from './bundle.ts'
import { cabOf } from './cab.ts'
import { outlookMessage } from './compound.ts'
import type { TestFiles } from './files.ts'
import { epubOf, page, picture } from './fixtures/books.ts'
import { convertFile } from './fixtures/convert.ts'
import { tool } from './fixtures/media.ts'
import { gradient, type Raster } from './fixtures/pixels.ts'
import { output } from './fixtures/programs.ts'
import { emf, wmf } from './metafiles.ts'
import { odgOf } from './odg.ts'
import { savedAs } from './office-files.ts'
import { officeFiles, words } from './office-pdf.ts'
import { makePdf } from './pdf.ts'
import { makePicture, writePnm } from './pictures.ts'
import { rar5 } from './rar.ts'
import { smallPictures } from './small-pictures.ts'
import { layouts, makeStatement } from './statements.ts'

type Made = Promise<string> | string

const html = words.map(text => `<p>${text}</p>`).join('')
const rows = words.map((text, number) => ({ text, number: number + 0.25 }))
const opf =
  '<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">x</dc:identifier><dc:title>A book</dc:title><dc:language>en</dc:language></metadata><manifest><item id="one" href="one.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="one"/></spine></package>'
const fictionBook = `<?xml version="1.0"?><FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0"><description><title-info><book-title>A book</book-title><lang>en</lang></title-info></description><body><section><title><p>One</p></title>${html}</section></body></FictionBook>`
const control = 'Package: a\nVersion: 1\nArchitecture: all\nMaintainer: A <a@b.c>\nDescription: a\n'

/** Names by format of what `smallPictures` makes. */
const graphics: Record<string, string> = {
  cr2: 'raw.cr2',
  cr3: 'raw.cr3',
  heic: 'one.heic',
  ico: 'still.ico',
  lottie: 'moving.json',
  nef: 'raw.nef',
  pict: 'drawing.pict',
  psd: 'merged.psd',
  raw: 'raw.dng',
  svg: 'drawing.svg',
  tgs: 'moving.tgs',
}

/**
 * By category and format, such as `images.png`, a function that makes the file when it is first called and returns its path.
 * Documents and books contain `words`, archives `plain.txt`.
 */
export function extremeSources(
  files: TestFiles,
  // A line stays small even where its longest edge has 10,000 pixels.
  pixels: Raster = gradient(200, 1),
): Record<string, () => Made> {
  const office = officeFiles('extremes-office').written
  const put = (name: string, content: Uint8Array | string) => {
    writeFileSync(files.path(name), content)
    return files.path(name)
  }
  const by = (program: string, ...args: string[]) => {
    tool(program, ...args)
    return args.at(-1)!
  }
  /** One entry for each of several formats. */
  const each = (category: string, formats: readonly string[], make: (format: string) => Made) =>
    Object.fromEntries(formats.map(format => [`${category}.${format}`, () => make(format)]))

  const strip = () => writePnm(pixels, files.path('strip.ppm'))
  let drawn: Promise<unknown> | undefined
  const plain = () => put('plain.txt', 'plain '.repeat(200))
  const member = { name: 'plain.txt', data: Buffer.from('plain') }

  const makers: Record<string, () => Made> = {
    ...each('images', ['avif', 'bmp', 'dds', 'gif', 'hdr', 'jp2', 'jpg', 'png', 'tiff', 'webp'], format =>
      makePicture(strip(), files.path(`strip.${format}`)),
    ),
    ...each('images', ['exr', 'qoi', 'tga'], format =>
      by('ffmpeg', '-v', 'error', '-i', strip(), files.path(`strip.${format}`)),
    ),
    'images.emf': () => put('a.emf', emf([{ box: [0, 0, 900, 900], color: [200, 30, 40] }])),
    'images.wmf': () => put('a.wmf', wmf([{ box: [0, 0, 900, 900], color: [200, 30, 40] }])),
    'images.jxl': async () => (await convertFile('image.png-to-jxl', await of('images.png'))).path,
    ...each('images', Object.keys(graphics), async format => {
      drawn ??= smallPictures(files)
      await drawn
      return files.path(graphics[format]!)
    }),

    'archives.7z': () => {
      tool('7z', 'a', files.path('a.7z'), plain())
      return files.path('a.7z')
    },
    ...each('archives', ['cpio', 'tar', 'tar-bz2', 'tar-gz', 'tar-xz', 'tar-zst', 'zip'], format => {
      plain()
      const path = files.path(`a.${format.replace('-', '.')}`)
      tool('bsdtar', '-acf', path, '-C', files.folder, 'plain.txt')
      return path
    }),
    ...Object.fromEntries(
      Object.entries({ bz2: 'bzip2', gz: 'gzip', xz: 'xz', zst: 'zstd' }).map(([format, program]) => [
        `archives.${format}`,
        () => put(`plain.txt.${format}`, output(program, ['-c', plain()])),
      ]),
    ),
    'archives.cab': () => put('a.cab', cabOf([{ ...member, dosTime: 0x50ae_0000 }])),
    'archives.deb': () => {
      mkdirSync(files.path('package/DEBIAN'), { recursive: true })
      put('package/DEBIAN/control', control)
      put('package/plain.txt', 'plain')
      return by('dpkg-deb', '--build', files.path('package'), files.path('a.deb'))
    },
    'archives.rar': () => put('a.rar', rar5([member])),

    ...Object.fromEntries(Object.entries(office).map(([format, write]) => [`documents.${format}`, write])),
    'documents.odg': () => put('w.odg', odgOf(words.join(' '))),
    'documents.odp': () => savedAs(files.path('w.odp'), office.pptx()),
    'documents.ods': () => savedAs(files.path('w.ods'), office.xlsx()),
    'documents.odt': () => savedAs(files.path('w.odt'), office.docx()),
    'documents.ppt': () => savedAs(files.path('w.ppt'), office.pptx()),
    'documents.xls': () => savedAs(files.path('w.xls'), office.xlsx()),
    'documents.word': () => office.docx(),
    'documents.csv': () =>
      put('a.csv', `text,number\n${rows.map(row => Object.values(row).join()).join('\n')}\n`),
    'documents.json': () => put('a.json', JSON.stringify(rows)),
    'documents.ics': () =>
      put(
        'a.ics',
        'BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:One\nDTSTART:20260102T100000Z\nEND:VEVENT\nEND:VCALENDAR\n',
      ),
    'documents.vcf': () => put('a.vcf', 'BEGIN:VCARD\nVERSION:3.0\nFN:One\nTEL:1.5\nEND:VCARD\n'),
    // Every JSON is YAML as well.
    'documents.yaml': () => put('a.yaml', JSON.stringify(rows)),
    'documents.html': () => put('a.html', `<!doctype html><title>A page</title><h1>One</h1>${html}`),
    'documents.ipynb': () =>
      put('a.ipynb', JSON.stringify({ cells: [{ cell_type: 'code', source: words.join(' ') }] })),
    'documents.tex': () => put('a.tex', words.join('\n\n')),
    'documents.rst': () => put('a.rst', words.join('\n\n')),
    'documents.org': () => put('a.org', words.join('\n\n')),
    'documents.eml': () => put('a.eml', `Subject: ${words[0]}\n\n${words.join('\n\n')}\n`),
    'documents.mbox': () => put('a.mbox', `From a@b Tue Nov 24 10:00:00 2026\n\n${words.join('\n\n')}\n`),
    'documents.msg': () => put('a.msg', outlookMessage({ subject: 'x', body: words.join(' ') })),
    'documents.md': () => put('a.md', `# ${words[0]}\n\n${words.slice(1).join('\n\n')}\n`),
    'documents.textpack': () =>
      put('a.textpack', zipSync({ 'a.md': strToU8(`# ${words[0]}\n\n${words.slice(1).join('\n\n')}\n`) })),
    'documents.txt': () => put('a.txt', words.join('\n')),
    ...each('documents', ['jpg', 'png'], format => of(`images.${format}`)),
    ...each('documents', ['key', 'numbers', 'pages'], async format =>
      put(
        `a.${format}`,
        zipSync({ 'Index/Document.iwa': strToU8('x'), 'preview.jpg': await picture(120, 160) }),
      ),
    ),
    'documents.pdf': () =>
      makePdf(files.path('a.pdf'), document => {
        document.text(words.join('\n'))
        document.outline.addItem('One')
        document.addPage().text('Another page')
        document.outline.addItem('Two')
      }),
    'documents.files': async () =>
      bundled(files.path('a.bundle'), [await of('documents.pdf'), await of('images.png')]),
    'documents.bank-statement': async () => {
      await makeStatement(files.path('statement.pdf'), layouts[0]!, 1)
      return files.path('statement.pdf')
    },

    'ebooks.epub': () =>
      put('a.epub', epubOf({ 'book.opf': opf, 'one.xhtml': page('One', `<h1>One</h1>${html}`) })),
    ...each('ebooks', ['azw3', 'mobi'], async format => {
      const { path } = await convertFile(`ebook.epub-to-${format}`, await of('ebooks.epub'))
      renameSync(path, files.path(`a.${format}`))
      return files.path(`a.${format}`)
    }),
    'ebooks.fb2': () => put('a.fb2', fictionBook),
    'ebooks.cbz': async () => put('a.cbz', zipSync({ '1.jpg': await picture(60, 90) })),
    'ebooks.cbr': async () => put('a.cbr', rar5([{ name: '1.jpg', data: await picture(60, 90) }])),
    'ebooks.pdf': () => of('documents.pdf'),
  }

  const made = new Map<string, Made>()
  function of(key: string): Made {
    if (!made.has(key)) made.set(key, makers[key]!())
    return made.get(key)!
  }
  return Object.fromEntries(Object.keys(makers).map(key => [key, () => of(key)]))
}
