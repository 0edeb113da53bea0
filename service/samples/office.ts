/** Office files for tests: packages written part by part, and one in an older format made by LibreOffice. */
import { createCipheriv, createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, extname, join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { made } from './cache.ts'
import { CUTOFF, compound } from './compound.ts'
import { tool } from './media.ts'

const types = 'application/vnd.openxmlformats-officedocument'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** A part of a package, and its content type if it has its own. */
interface Part {
  name: string
  content: string | Uint8Array
  type?: string
}

/** Links from one part to others, or to external targets. */
interface Link {
  id: string
  type: string
  target: string
  external?: boolean
}

const linksXml = (links: readonly Link[]) =>
  `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${links
    .map(
      ({ id, type, target, external }) =>
        `<Relationship Id="${id}" Type="${relations}/${type}" Target="${target}"${external ? ' TargetMode="External"' : ''}/>`,
    )
    .join('')}</Relationships>`

function packaged(parts: readonly Part[]): Buffer {
  const contentTypes = `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/>${parts
    .filter(({ type }) => type)
    .map(({ name, type }) => `<Override PartName="/${name}" ContentType="${type}"/>`)
    .join('')}</Types>`
  const files = {
    '[Content_Types].xml': contentTypes,
    ...Object.fromEntries(parts.map(({ name, content }) => [name, content])),
  }
  const bytes = Object.entries(files).map(([name, content]) => [
    name,
    typeof content === 'string' ? strToU8(content) : content,
  ])
  // The same parts always give the same bytes.
  return Buffer.from(zipSync(Object.fromEntries(bytes), { mtime: '2024-01-01' }))
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

export interface TextDocument {
  /** Paragraphs of text. */
  paragraphs?: readonly string[]
  /** Family of all text. */
  font?: string
  /** WordprocessingML after the paragraphs. */
  body?: string
  links?: readonly Link[]
  parts?: readonly Part[]
}

/** A Word document; the first paragraph is a heading. */
export function docx({
  paragraphs = [],
  font = 'Liberation Serif',
  body = '',
  links = [],
  parts = [],
}: TextDocument): Buffer {
  const run = (text: string) =>
    `<w:r><w:rPr><w:rFonts w:ascii="${font}" w:hAnsi="${font}" w:eastAsia="${font}"/></w:rPr><w:t xml:space="preserve">${escaped(text)}</w:t></w:r>`
  const text = paragraphs
    .map(
      (line, index) =>
        `<w:p>${index === 0 ? '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>' : ''}${run(line)}</w:p>`,
    )
    .join('')
  const styles = `<?xml version="1.0"?><w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style></w:styles>`
  const main = `<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="${relations}" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><w:body>${text}${body}<w:sectPr><w:pgSz w:w="11906" w:h="16838"/></w:sectPr></w:body></w:document>`
  return packaged([
    {
      name: '_rels/.rels',
      content: linksXml([{ id: 'r1', type: 'officeDocument', target: 'word/document.xml' }]),
    },
    { name: 'word/document.xml', content: main, type: `${types}.wordprocessingml.document.main+xml` },
    { name: 'word/styles.xml', content: styles, type: `${types}.wordprocessingml.styles+xml` },
    {
      name: 'word/_rels/document.xml.rels',
      content: linksXml([{ id: 'styles', type: 'styles', target: 'styles.xml' }, ...links]),
    },
    ...parts,
  ])
}

/** WordprocessingML of a picture 5 cm wide, either embedded in the package or linked from outside. */
export const pictureOf = (id: string, how: 'embed' | 'link'): string =>
  `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="1800000" cy="1800000"/><wp:docPr id="1" name="p"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="1" name="p"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:${how}="${id}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="1800000" cy="1800000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`

export const pageBreak = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>'
export const paragraph = (text: string): string => `<w:p><w:r><w:t>${escaped(text)}</w:t></w:r></w:p>`

/** A presentation with a text on each slide; names of hidden ones start with a dash. `notes` are the speaker's, slide by slide. */
export function pptx(slides: readonly string[], notes: readonly string[] = []): Buffer {
  const spaces = `xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="${relations}" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"`
  const tree = (shapes: string) =>
    `<p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>${shapes}</p:spTree></p:cSld>`
  const box = (text: string) =>
    `<p:sp><p:nvSpPr><p:cNvPr id="2" name="t"/><p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm><a:off x="500000" y="500000"/><a:ext cx="6000000" cy="900000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr><p:txBody><a:bodyPr/><a:p><a:r><a:rPr lang="en-US" sz="3200"/><a:t>${escaped(text)}</a:t></a:r></a:p></p:txBody></p:sp>`
  const map =
    '<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/>'
  const colours = [
    'dk1',
    'lt1',
    'dk2',
    'lt2',
    'accent1',
    'accent2',
    'accent3',
    'accent4',
    'accent5',
    'accent6',
    'hlink',
    'folHlink',
  ]
    .map((name, index) => `<a:${name}><a:srgbClr val="${index % 2 ? 'FFFFFF' : '203040'}"/></a:${name}>`)
    .join('')
  const font = '<a:latin typeface="Liberation Sans"/><a:ea typeface=""/><a:cs typeface=""/>'
  const plain = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>'
  const theme = `<a:theme ${spaces} name="t"><a:themeElements><a:clrScheme name="c">${colours}</a:clrScheme><a:fontScheme name="f"><a:majorFont>${font}</a:majorFont><a:minorFont>${font}</a:minorFont></a:fontScheme><a:fmtScheme name="m"><a:fillStyleLst>${plain.repeat(3)}</a:fillStyleLst><a:lnStyleLst>${`<a:ln>${plain}</a:ln>`.repeat(3)}</a:lnStyleLst><a:effectStyleLst>${'<a:effectStyle><a:effectLst/></a:effectStyle>'.repeat(3)}</a:effectStyleLst><a:bgFillStyleLst>${plain.repeat(3)}</a:bgFillStyleLst></a:fmtScheme></a:themeElements></a:theme>`
  const part = (name: string, kind: string, content: string): Part => ({
    name: `ppt/${name}`,
    content: `<?xml version="1.0" encoding="UTF-8"?>${content}`,
    type: `${types}.presentationml.${kind}+xml`,
  })
  const numbers = slides.map((_, index) => index + 1)
  const holder = (id: number, type: string, content = '') =>
    `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="${type}"/><p:cNvSpPr/><p:nvPr><p:ph type="${type}" idx="${id}"/></p:nvPr></p:nvSpPr><p:spPr><a:xfrm><a:off x="700000" y="${id * 2_000_000 - 3_500_000}"/><a:ext cx="5000000" cy="1900000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr>${content}</p:sp>`
  const holders = (text: string) =>
    tree(
      holder(2, 'sldImg') +
        holder(
          3,
          'body',
          `<p:txBody><a:bodyPr/><a:p><a:r><a:t>${escaped(text)}</a:t></a:r></a:p></p:txBody>`,
        ),
    )
  const noteParts: Part[] = notes.length
    ? [
        part(
          'notesMasters/n.xml',
          'notesMaster',
          `<p:notesMaster ${spaces}>${holders('')}${map}</p:notesMaster>`,
        ),
        {
          name: 'ppt/notesMasters/_rels/n.xml.rels',
          content: linksXml([{ id: 't', type: 'theme', target: '../theme/t2.xml' }]),
        },
        { name: 'ppt/theme/t2.xml', content: theme, type: `${types}.theme+xml` },
        ...notes.flatMap((text, index) => [
          part(
            `notesSlides/n${index + 1}.xml`,
            'notesSlide',
            `<p:notes ${spaces}>${holders(text)}</p:notes>`,
          ),
          {
            name: `ppt/notesSlides/_rels/n${index + 1}.xml.rels`,
            content: linksXml([
              { id: 'm', type: 'notesMaster', target: '../notesMasters/n.xml' },
              { id: 's', type: 'slide', target: `../slides/slide${index + 1}.xml` },
            ]),
          },
        ]),
      ]
    : []
  return packaged([
    ...noteParts,
    {
      name: '_rels/.rels',
      content: linksXml([{ id: 'r1', type: 'officeDocument', target: 'ppt/presentation.xml' }]),
    },
    part(
      'presentation.xml',
      'presentation.main',
      `<p:presentation ${spaces}><p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="m"/></p:sldMasterIdLst>${notes.length ? '<p:notesMasterIdLst><p:notesMasterId r:id="nm"/></p:notesMasterIdLst>' : ''}<p:sldIdLst>${numbers.map(number => `<p:sldId id="${255 + number}" r:id="s${number}"/>`).join('')}</p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/><p:notesSz cx="6858000" cy="9144000"/></p:presentation>`,
    ),
    {
      name: 'ppt/_rels/presentation.xml.rels',
      content: linksXml([
        { id: 'm', type: 'slideMaster', target: 'slideMasters/m.xml' },
        ...(notes.length ? [{ id: 'nm', type: 'notesMaster', target: 'notesMasters/n.xml' }] : []),
        ...numbers.map(number => ({ id: `s${number}`, type: 'slide', target: `slides/slide${number}.xml` })),
      ]),
    },
    part(
      'slideMasters/m.xml',
      'slideMaster',
      `<p:sldMaster ${spaces}>${tree('')}${map}<p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="l"/></p:sldLayoutIdLst></p:sldMaster>`,
    ),
    {
      name: 'ppt/slideMasters/_rels/m.xml.rels',
      content: linksXml([
        { id: 'l', type: 'slideLayout', target: '../slideLayouts/l.xml' },
        { id: 't', type: 'theme', target: '../theme/t.xml' },
      ]),
    },
    { name: 'ppt/theme/t.xml', content: theme, type: `${types}.theme+xml` },
    part('slideLayouts/l.xml', 'slideLayout', `<p:sldLayout ${spaces}>${tree('')}</p:sldLayout>`),
    {
      name: 'ppt/slideLayouts/_rels/l.xml.rels',
      content: linksXml([{ id: 'm', type: 'slideMaster', target: '../slideMasters/m.xml' }]),
    },
    ...slides.flatMap((text, index) => [
      part(
        `slides/slide${index + 1}.xml`,
        'slide',
        `<p:sld ${spaces}${text.startsWith('-') ? ' show="0"' : ''}>${tree(box(text))}</p:sld>`,
      ),
      {
        name: `ppt/slides/_rels/slide${index + 1}.xml.rels`,
        content: linksXml([
          { id: 'l', type: 'slideLayout', target: '../slideLayouts/l.xml' },
          ...(notes[index] === undefined
            ? []
            : [{ id: 'n', type: 'notesSlide', target: `../notesSlides/n${index + 1}.xml` }]),
        ]),
      },
    ]),
  ])
}

/** A workbook with texts and numbers in the rows of each sheet. */
export function xlsx(sheets: Readonly<Record<string, readonly (readonly (string | number)[])[]>>): Buffer {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const cell = (value: string | number) =>
    typeof value === 'number'
      ? `<c><v>${value}</v></c>`
      : `<c t="inlineStr"><is><t>${escaped(value)}</t></is></c>`
  const names = Object.keys(sheets)
  return packaged([
    {
      name: '_rels/.rels',
      content: linksXml([{ id: 'r1', type: 'officeDocument', target: 'xl/workbook.xml' }]),
    },
    {
      name: 'xl/workbook.xml',
      content: `<?xml version="1.0"?><workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${names.map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="s${index}"/>`).join('')}</sheets></workbook>`,
      type: `${types}.spreadsheetml.sheet.main+xml`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: linksXml(
        names.map((_, index) => ({
          id: `s${index}`,
          type: 'worksheet',
          target: `worksheets/sheet${index}.xml`,
        })),
      ),
    },
    ...Object.values(sheets).map((rows, index) => ({
      name: `xl/worksheets/sheet${index}.xml`,
      content: `<?xml version="1.0"?><worksheet xmlns="${main}"><sheetData>${rows.map(row => `<row>${row.map(cell).join('')}</row>`).join('')}</sheetData></worksheet>`,
      type: `${types}.spreadsheetml.worksheet+xml`,
    })),
  ])
}

const MACRO_SHEET = 'http://schemas.microsoft.com/office/2006/relationships/xlMacrosheet'

/**
 * A workbook with macros (.xlsm) that shows `text`, and whose Excel 4.0 macro replaces it, writes a file and starts a program as
 * soon as it is opened: [MS-OFFMACRO] 2.2.1.5, ECMA-376 part 1, 18.3.1.61; the commands are those of [MS-XLS] 2.5.198.4.
 * @param path of the file that the macro writes
 */
export function macroWorkbook(text: string, replacement: string, path: string): Buffer {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const commands = [
    `SET.VALUE(Shown!A1,"${replacement}")`,
    `FOPEN("${path}",3)`,
    `FWRITELN(A2,"written")`,
    'FCLOSE(A2)',
    `EXEC("touch ${path}")`,
    'RETURN()',
  ]
  const cells = commands.map(
    (command, row) =>
      `<row r="${row + 1}"><c r="A${row + 1}"><f>${escaped(command).replaceAll('"', '&quot;')}</f></c></row>`,
  )
  const sheet = (name: string, rows: string) =>
    `<?xml version="1.0"?><${name} xmlns="${main}"><sheetData>${rows}</sheetData></${name}>`
  const links = linksXml([
    { id: 's', type: 'worksheet', target: 'worksheets/sheet0.xml' },
    { id: 'm', type: 'xlMacrosheet', target: 'macrosheets/sheet1.xml' },
  ]).replace(`${relations}/xlMacrosheet`, MACRO_SHEET)
  return packaged([
    {
      name: '_rels/.rels',
      content: linksXml([{ id: 'r1', type: 'officeDocument', target: 'xl/workbook.xml' }]),
    },
    {
      name: 'xl/workbook.xml',
      content: `<?xml version="1.0"?><workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="Shown" sheetId="1" r:id="s"/><sheet name="Macro1" sheetId="2" r:id="m"/></sheets><definedNames><definedName name="_xlnm.Auto_Open" xlm="1" function="1" hidden="1">Macro1!$A$1</definedName></definedNames></workbook>`,
      type: 'application/vnd.ms-excel.sheet.macroEnabled.main+xml',
    },
    { name: 'xl/_rels/workbook.xml.rels', content: links },
    {
      name: 'xl/worksheets/sheet0.xml',
      content: sheet(
        'worksheet',
        `<row r="1"><c r="A1" t="inlineStr"><is><t>${escaped(text)}</t></is></c></row>`,
      ),
      type: `${types}.spreadsheetml.worksheet+xml`,
    },
    {
      name: 'xl/macrosheets/sheet1.xml',
      content: sheet('xm:macrosheet', cells.join('')).replace(
        `xmlns="${main}"`,
        `xmlns="${main}" xmlns:xm="http://schemas.microsoft.com/office/excel/2006/main"`,
      ),
      type: 'application/vnd.ms-excel.macrosheet+xml',
    },
  ])
}

/** RTF with a paragraph for each text. */
export const rtf = (paragraphs: readonly string[]): Buffer => {
  const coded = (text: string) =>
    [...text.replace(/[\\{}]/g, '\\$&')]
      .flatMap(character => (character < '\x80' ? character : character.split('')))
      .map(unit => (unit < '\x80' ? unit : `\\u${(unit.charCodeAt(0) << 16) >> 16}?`))
      .join('')
  return Buffer.from(
    `{\\rtf1\\ansi\\deff0{\\fonttbl{\\f0\\froman\\fcharset0 Liberation Serif;}}\n${paragraphs.map(text => `${coded(text)}\\par\n`).join('')}}`,
  )
}

/** The document saved by Debian's LibreOffice in the format of this path, such as `doc`. */
export function savedAs(path: string, source: string): string {
  const format = extname(path).slice(1)
  return made(path, 'soffice', ['--convert-to', format, source], () => {
    const folder = mkdtempSync(join(tmpdir(), 'refile-saved-'))
    tool(
      ...(['soffice', `-env:UserInstallation=file://${folder}/profile`, '--headless'] as const),
      ...['--convert-to', format, '--outdir', folder, source],
    )
    renameSync(join(folder, basename(source).replace(/\.\w+$/, `.${format}`)), path)
  })
}

/** A slide or a sheet with a text and a picture, as flat OpenDocument XML: ISO/IEC 26300. */
export function flat(kind: 'presentation' | 'spreadsheet', text: string, picture: Buffer): Buffer {
  const frame = (at: number, content: string) =>
    `<draw:frame svg:x="2cm" svg:y="${at}cm" svg:width="6cm" svg:height="3cm">${content}</draw:frame>`
  const image = frame(
    6,
    `<draw:image><office:binary-data>${picture.toString('base64')}</office:binary-data></draw:image>`,
  )
  const shown = `<text:p>${escaped(text)}</text:p>`
  const body =
    kind === 'presentation'
      ? `<draw:page draw:name="p" draw:master-page-name="m">${frame(2, `<draw:text-box>${shown}</draw:text-box>`)}${image}</draw:page>`
      : `<table:table table:name="S"><table:shapes>${image}</table:shapes><table:table-row><table:table-cell office:value-type="string">${shown}</table:table-cell></table:table-row></table:table>`
  const spaces = ['office', 'table', 'text', 'style']
    .map(name => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
    .concat(
      'xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"',
      'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"',
    )
  const master = '<office:master-styles><style:master-page style:name="m"/></office:master-styles>'
  return Buffer.from(
    `<?xml version="1.0"?><office:document ${spaces.join(' ')} office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.${kind}">${kind === 'presentation' ? master : ''}<office:body><office:${kind}>${body}</office:${kind}></office:body></office:document>`,
  )
}

/** A package protected by a password: agile encryption of [MS-OFFCRYPTO], AES-256 and SHA-512. */
export function encrypted(content: Buffer, password: string): Buffer {
  const hash = (...parts: Buffer[]) => createHash('sha512').update(Buffer.concat(parts)).digest()
  const number = (value: number) => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32LE(value)
    return bytes
  }
  const encrypt = (key: Buffer, iv: Buffer, data: Buffer) => {
    const engine = createCipheriv('aes-256-cbc', key, iv).setAutoPadding(false)
    return Buffer.concat([
      engine.update(Buffer.concat([data], Math.ceil(data.length / 16) * 16)),
      engine.final(),
    ])
  }
  const [salt, keySalt, key, verifier] = [randomBytes(16), randomBytes(16), randomBytes(32), randomBytes(16)]
  const spins = 1000
  let spun = hash(salt, Buffer.from(password, 'utf16le'))
  for (let i = 0; i < spins; i++) spun = hash(number(i), spun)
  const wrap = (block: string, data: Buffer) =>
    encrypt(hash(spun, Buffer.from(block, 'hex')).subarray(0, 32), salt, data).toString('base64')
  const parameters = (value: Buffer) =>
    `saltSize="16" blockSize="16" keyBits="256" hashSize="64" cipherAlgorithm="AES" cipherChaining="ChainingModeCBC" hashAlgorithm="SHA512" saltValue="${value.toString('base64')}"`
  const integrity = Buffer.alloc(64).toString('base64')
  const xml = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><encryption xmlns="http://schemas.microsoft.com/office/2006/encryption" xmlns:p="http://schemas.microsoft.com/office/2006/keyEncryptor/password"><keyData ${parameters(keySalt)}/><dataIntegrity encryptedHmacKey="${integrity}" encryptedHmacValue="${integrity}"/><keyEncryptors><keyEncryptor uri="http://schemas.microsoft.com/office/2006/keyEncryptor/password"><p:encryptedKey spinCount="${spins}" ${parameters(salt)} encryptedVerifierHashInput="${wrap('fea7d2763b4b9e79', verifier)}" encryptedVerifierHashValue="${wrap('d7aa0f6d3061344e', hash(verifier))}" encryptedKeyValue="${wrap('146e0be7abacd0d6', key)}"/></keyEncryptor></keyEncryptors></encryption>`
  const segments: Buffer[] = []
  for (let at = 0; at < content.length; at += 4096)
    segments.push(
      encrypt(key, hash(keySalt, number(at / 4096)).subarray(0, 16), content.subarray(at, at + 4096)),
    )
  const info = Buffer.concat([Buffer.from([4, 0, 4, 0, 0x40, 0, 0, 0]), Buffer.from(xml.padEnd(CUTOFF))])
  return encryptedStreams(info, content.length, Buffer.concat(segments))
}

/** The container of an encrypted package. */
export function encryptedStreams(info: Buffer, contentBytes: number, content: Buffer): Buffer {
  const size = Buffer.alloc(8)
  size.writeBigUInt64LE(BigInt(contentBytes))
  const body = Buffer.concat([size, content])
  return compound({
    EncryptionInfo: Buffer.concat([info], Math.max(info.length, CUTOFF)),
    EncryptedPackage: Buffer.concat([body], Math.max(body.length, CUTOFF + 8)),
  })
}
