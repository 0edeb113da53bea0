/** Word files and workbooks, written part by part. */
import { strToU8, zipSync } from 'fflate'

export const types = 'application/vnd.openxmlformats-officedocument'
export const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** A part of a package, and its content type if it has its own. */
export interface Part {
  name: string
  content: string | Uint8Array
  type?: string
}

/** Links from one part to others, or to external targets. */
export interface Link {
  id: string
  type: string
  target: string
  external?: boolean
}

/** The part with the links of another one. */
export const linksXml = (links: readonly Link[]) =>
  `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${links
    .map(
      ({ id, type, target, external }) =>
        `<Relationship Id="${id}" Type="${relations}/${type}" Target="${target}"${external ? ' TargetMode="External"' : ''}/>`,
    )
    .join('')}</Relationships>`

/** A package of parts. */
export function packaged(parts: readonly Part[]): Buffer {
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

/** Text in XML. */
export const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

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
