/** The styles to which the paragraphs of a document refer: ECMA-376, part 1, 17.7. */
import { escapeXml } from '../../../../common/xml/characters.ts'

/** Half points. */
export const TEXT_SIZE = 22
const headingSizes = [36, 30, 26, 24, 22, 22]
export const CODE_FONT = 'Courier New'

/** Paragraph styles of HTML's elements. */
export const elementStyles: Readonly<Record<string, string>> = {
  pre: 'Code',
  figcaption: 'Caption',
  caption: 'Caption',
  ...Object.fromEntries(headingSizes.map((_, index) => [`h${index + 1}`, `Heading${index + 1}`])),
}

/** Text size of a paragraph style, in half points. */
export const sizeOfStyle = (style: string): number => {
  const level = /^Heading(\d)$/.exec(style)?.[1]
  if (level) return headingSizes[Number(level) - 1] ?? TEXT_SIZE
  return style === 'Code' || style === 'FootnoteText' ? 20 : TEXT_SIZE
}

export const isBoldStyle = (style: string): boolean => style.startsWith('Heading')

interface Style {
  id: string
  name: string
  type?: 'paragraph' | 'character' | 'table'
  based?: string
  next?: string
  isDefault?: boolean
  paragraph?: string
  run?: string
  more?: string
}

const font = (name: string) => `<w:rFonts w:ascii="${name}" w:hAnsi="${name}" w:cs="${name}"/>`
const size = (halfPoints: number) => `<w:sz w:val="${halfPoints}"/><w:szCs w:val="${halfPoints}"/>`
const BOLD = '<w:b/><w:bCs/>'

const edges = (names: readonly string[]) =>
  names.map(edge => `<w:${edge} w:val="single" w:sz="4" w:space="0" w:color="808080"/>`).join('')

const styles: readonly Style[] = [
  {
    id: 'Normal',
    name: 'Normal',
    isDefault: true,
    paragraph: '<w:spacing w:after="120" w:line="276" w:lineRule="auto"/>',
  },
  ...headingSizes.map(
    (halfPoints, index): Style => ({
      id: `Heading${index + 1}`,
      name: `heading ${index + 1}`,
      based: 'Normal',
      next: 'Normal',
      paragraph: `<w:keepNext/><w:keepLines/><w:spacing w:before="${index < 2 ? 360 : 240}" w:after="120"/><w:outlineLvl w:val="${index}"/>`,
      run: `${BOLD}${size(halfPoints)}`,
    }),
  ),
  { id: 'Quote', name: 'Quote', based: 'Normal' },
  { id: 'Caption', name: 'caption', based: 'Normal', run: '<w:i/><w:iCs/>' },
  {
    id: 'Code',
    name: 'HTML Preformatted',
    based: 'Normal',
    paragraph:
      '<w:shd w:val="clear" w:color="auto" w:fill="F4F4F4"/><w:spacing w:line="240" w:lineRule="auto"/>',
    run: `${font(CODE_FONT)}<w:noProof/>${size(20)}`,
  },
  { id: 'Contents', name: 'TOC Heading', based: 'Normal', run: `${BOLD}${size(30)}` },
  ...Array.from(
    { length: 9 },
    (_, index): Style => ({
      id: `TOC${index + 1}`,
      name: `toc ${index + 1}`,
      based: 'Normal',
      paragraph: `<w:spacing w:after="60"/><w:ind w:left="${index * 240}"/>`,
    }),
  ),
  {
    id: 'FootnoteText',
    name: 'footnote text',
    based: 'Normal',
    paragraph: '<w:spacing w:after="40"/>',
    run: size(20),
  },
  {
    id: 'FootnoteReference',
    name: 'footnote reference',
    type: 'character',
    run: '<w:vertAlign w:val="superscript"/>',
  },
  {
    id: 'Hyperlink',
    name: 'Hyperlink',
    type: 'character',
    run: '<w:color w:val="0563C1"/><w:u w:val="single"/>',
  },
  {
    id: 'TableNormal',
    name: 'Normal Table',
    type: 'table',
    isDefault: true,
    more: '<w:tblPr><w:tblInd w:w="0" w:type="dxa"/><w:tblCellMar><w:left w:w="100" w:type="dxa"/><w:right w:w="100" w:type="dxa"/></w:tblCellMar></w:tblPr>',
  },
  {
    id: 'TableGrid',
    name: 'Table Grid',
    type: 'table',
    based: 'TableNormal',
    more: `<w:tblPr><w:tblBorders>${edges(['top', 'left', 'bottom', 'right', 'insideH', 'insideV'])}</w:tblBorders></w:tblPr>`,
  },
]

/** `w:lang` with a language in the attribute that its script requires. */
export function languageXml(language: string): string {
  const attribute = /^(?:ja|ko|zh)\b/i.test(language)
    ? 'eastAsia'
    : /^(?:ar|fa|he|iw|ps|syr|ug|ur|yi|dv)\b/i.test(language)
      ? 'bidi'
      : 'val'
  return `<w:lang w:${attribute}="${escapeXml(language)}"/>`
}

/** @param language BCP 47 */
export function stylesXml(language: string): string {
  const defaults = `<w:docDefaults><w:rPrDefault><w:rPr>${font('Cambria')}${size(TEXT_SIZE)}${language === 'und' ? '' : languageXml(language)}</w:rPr></w:rPrDefault><w:pPrDefault/></w:docDefaults>`
  return `${defaults}${styles.map(styleXml).join('')}`
}

function styleXml({
  id,
  name,
  type = 'paragraph',
  based,
  next,
  isDefault,
  paragraph,
  run,
  more,
}: Style): string {
  return [
    `<w:style w:type="${type}"${isDefault ? ' w:default="1"' : ''} w:styleId="${id}"><w:name w:val="${name}"/>`,
    based ? `<w:basedOn w:val="${based}"/>` : '',
    next ? `<w:next w:val="${next}"/>` : '',
    '<w:qFormat/>',
    paragraph ? `<w:pPr>${paragraph}</w:pPr>` : '',
    run ? `<w:rPr>${run}</w:rPr>` : '',
    more ?? '',
    '</w:style>',
  ].join('')
}
