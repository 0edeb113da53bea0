/** Files that have what options are about: pictures, notes, hidden slides, decimals, forms, attachments and several formats of archives. */
import { readFileSync } from 'node:fs'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import sharp from 'sharp'
import { bundled } from './bundle.ts'
import { extremeSources } from './extreme-sources.ts'
import type { TestFiles } from './files.ts'
import { epubOf, page } from './fixtures/books.ts'
import { convertFile } from './fixtures/convert.ts'
import { docx, pictureOf } from './fixtures/office.ts'
import { gradient } from './fixtures/pixels.ts'
import { pptx } from './fixtures/slides.ts'
import { flat, savedAs } from './office-files.ts'
import { words } from './office-pdf.ts'
import { makePdf } from './pdf.ts'

type Sources = Record<string, () => Promise<string> | string>

/** A gradient within a white border. */
function framedGradient() {
  const picture = gradient(1300, 60)
  for (let at = 0; at < picture.data.length; at++) {
    const [x, y] = [Math.floor(at / 3) % picture.width, Math.floor(at / 3 / picture.width)]
    if (x < 20 || x >= picture.width - 20 || y < 10 || y >= picture.height - 10) picture.data[at] = 255
  }
  return picture
}

const vectorGraphic =
  '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"><defs><linearGradient id="g"><stop stop-color="red"/><stop offset="1" stop-color="blue"/></linearGradient></defs><path d="M40 40H360V200Q200 300 40 90Z" fill="url(#g)"/></svg>'

/** A PNG without two equal pixels beside each other, larger than any page needs it. */
const photo = () => {
  const data = Buffer.alloc(1200 * 1200 * 3)
  for (let at = 0; at < data.length; at++) data[at] = (at * 7919 + (at >> 8) * 104_729) % 251
  return sharp(data, { raw: { width: 1200, height: 1200, channels: 3 } })
    .blur(2)
    .png()
    .toBuffer()
}

/** The sources of `extremeSources`, by category and format, with more in them. */
export function switchSources(files: TestFiles): Sources {
  const html = async () =>
    `<!doctype html><title>A page</title><h1>One</h1>${words.map(text => `<p>${text}</p>`).join('')}<img alt="A picture" src="data:image/png;base64,${(await photo()).toString('base64')}">`
  const wordFile = async () =>
    docx({
      paragraphs: words,
      body: pictureOf('p', 'embed'),
      links: [{ id: 'p', type: 'image', target: 'media/p.png' }],
      parts: [{ name: 'word/media/p.png', content: await photo() }],
    })
  const slides = async () => {
    const zip = unzipSync(pptx([words[0]!, `-${words[1]}`, words[2]!], ['A note', 'Another', 'A third']))
    const edit = (name: string, change: (text: string) => string) => {
      zip[name] = strToU8(change(strFromU8(zip[name]!)))
    }
    edit('ppt/slides/slide1.xml', text =>
      text.replace(
        '</p:spTree>',
        '<p:pic><p:nvPicPr><p:cNvPr id="9" name="p"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr><p:blipFill><a:blip r:embed="p"/><a:stretch><a:fillRect/></a:stretch></p:blipFill><p:spPr><a:xfrm><a:off x="500000" y="2500000"/><a:ext cx="1800000" cy="1800000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr></p:pic></p:spTree>',
      ),
    )
    edit('ppt/slides/_rels/slide1.xml.rels', text =>
      text.replace(
        '</Relationships>',
        '<Relationship Id="p" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="../media/p.png"/></Relationships>',
      ),
    )
    edit('[Content_Types].xml', text =>
      text.replace('<Override', '<Default Extension="png" ContentType="image/png"/><Override'),
    )
    zip['ppt/media/p.png'] = await photo()
    return Buffer.from(zipSync(zip))
  }
  const workbook = async () => flat('spreadsheet', words[0]!, await photo())
  const office = (format: string, flatFormat: string, content: () => Promise<Buffer>) => async () =>
    savedAs(files.path(`rich.${format}`), files.write(await content(), flatFormat))
  const table = 'name;day;amount;count\nA "b";2026-02-03;1,5;3\nC;2026-02-04;1204,25;4\nD;03.02.2026;7;5\n'
  const pdf = async () => {
    const picture = await photo()
    return makePdf(
      files.path('rich.pdf'),
      document => {
        document.fillColor('red').text(words.join('\n'))
        document.outline.addItem('One')
        document.image(picture, 72, 200, { width: 140 })
        document.initForm()
        document.formText('name', 72, 400, 200, 20, { value: 'Ada' })
        document.file(Buffer.from('attached'), { name: 'note.txt' })
        for (const [row, cells] of [
          ['Item', 'Price'],
          ['Apple', '1,204.32'],
          ['Pear', '3.50'],
        ].entries())
          for (const [column, text] of cells.entries()) document.text(text, 72 + column * 120, 450 + row * 20)
        document.addPage().text('Another page')
        document.outline.addItem('Two')
      },
      { pdfVersion: '1.7' },
    )
  }
  const opf =
    '<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">x</dc:identifier><dc:title>A book</dc:title><dc:language>en</dc:language></metadata><manifest><item id="one" href="one.xhtml" media-type="application/xhtml+xml"/><item id="two" href="two.xhtml" media-type="application/xhtml+xml"/><item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/><item id="p" href="p.png" media-type="image/png"/></manifest><spine><itemref idref="one"/><itemref idref="two"/></spine></package>'
  const nav = page(
    'Contents',
    '<nav epub:type="toc"><ol><li><a href="one.xhtml">One</a></li><li><a href="two.xhtml">Two</a></li></ol></nav>',
  )
  const plain = extremeSources(files, framedGradient())
  return {
    ...plain,
    'images.ico': async () => (await convertFile('image.png-to-ico', await plain['images.png']!())).path,
    'images.svg': () => files.write(Buffer.from(vectorGraphic), 'svg'),
    'documents.docx': async () => files.write(await wordFile(), 'docx'),
    'documents.word': async () => files.write(await wordFile(), 'docx'),
    'documents.doc': office('doc', 'docx', wordFile),
    'documents.odt': office('odt', 'docx', wordFile),
    'documents.pptx': async () => files.write(await slides(), 'pptx'),
    'documents.ppt': office('ppt', 'pptx', slides),
    'documents.odp': office('odp', 'pptx', slides),
    'documents.xlsx': office('xlsx', 'fods', workbook),
    'documents.html': async () => files.write(Buffer.from(await html()), 'html'),
    'documents.md': async () =>
      files.write(
        Buffer.from(
          `# One\n\n${words.join('\n\n')}\n\n![A picture](data:image/png;base64,${(await photo()).toString('base64')})\n`,
        ),
        'md',
      ),
    'documents.eml': async () =>
      files.write(
        Buffer.from(
          `Subject: x\nMIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\n\n${await html()}\n`,
        ),
        'eml',
      ),
    'documents.csv': () => files.write(Buffer.from(table), 'csv'),
    'documents.json': () =>
      files.write(
        Buffer.from(
          '[{"name":"A","day":"2026-02-03","amount":1.5},{"name":"C","day":"2026-02-04","amount":2.25}]',
        ),
        'json',
      ),
    'documents.ods': office('ods', 'csv', async () =>
      Buffer.from(table.replaceAll(',', '.').replaceAll(';', ',')),
    ),
    'documents.pdf': pdf,
    'documents.files': async () =>
      bundled(files.path('rich.bundle'), [await pdf(), files.write(await photo(), 'png')]),
    ...Object.fromEntries(
      ['key', 'numbers', 'pages'].map(format => [
        `documents.${format}`,
        async () =>
          files.write(
            Buffer.from(
              zipSync({
                'Index/Document.iwa': strToU8('x'),
                'preview.jpg': readFileSync(await plain['images.jpg']!()),
              }),
            ),
            format,
          ),
      ]),
    ),
    'ebooks.epub': async () =>
      files.write(
        Buffer.from(
          epubOf({
            'book.opf': opf,
            'nav.xhtml': nav,
            'one.xhtml': page('One', `<h1>One</h1><p>${words[1]}</p><img src="p.png" alt="A picture"/>`),
            'two.xhtml': page('Two', `<h1>Two</h1><p>${words[2]}</p>`),
            'p.png': new Uint8Array(await photo()),
          }),
        ),
        'epub',
      ),
  }
}
