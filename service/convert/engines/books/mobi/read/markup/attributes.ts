/** Attributes allowed in XHTML content documents: https://html.spec.whatwg.org/multipage/indices.html#attributes-3 */
import type { XmlElement } from '../../../../common/xml/element.ts'

const words = (text: string) => new Set(text.split(' '))

const GLOBAL = words(
  'id class style title lang xml:lang dir hidden tabindex accesskey contenteditable draggable spellcheck translate role epub:type epub:prefix xmlns xmlns:epub inert is itemid itemprop itemref itemscope itemtype',
)

const OWN: Readonly<Record<string, ReadonlySet<string>>> = {
  a: words('href hreflang rel target type download'),
  audio: words('src controls autoplay loop muted preload'),
  blockquote: words('cite'),
  col: words('span'),
  colgroup: words('span'),
  del: words('cite datetime'),
  details: words('open'),
  ins: words('cite datetime'),
  img: words('src alt width height srcset sizes usemap ismap'),
  area: words('alt coords shape href rel target'),
  map: words('name'),
  li: words('value'),
  link: words('href rel type media hreflang'),
  meta: words('name content charset'),
  object: words('data type width height name'),
  ol: words('reversed start type'),
  q: words('cite'),
  source: words('src type media'),
  style: words('type media'),
  td: words('colspan rowspan headers'),
  th: words('colspan rowspan headers scope abbr'),
  time: words('datetime'),
  video: words('src controls autoplay loop muted preload poster width height'),
}

/** XHTML elements allowed in a text; others become `span` or `div`. */
export const KNOWN: ReadonlySet<string> = words(
  'html head body title meta link style script noscript section nav article aside h1 h2 h3 h4 h5 h6 header footer address main p hr pre blockquote ol ul li dl dt dd figure figcaption div a em strong small s cite q dfn abbr time code var samp kbd sub sup i b u mark ruby rb rp rt rtc bdi bdo span br wbr ins del img iframe object video audio source map area table caption colgroup col tbody thead tfoot tr td th details summary svg math',
)

const NUMBER = /^[-+]?\d{1,6}$/
const COUNT = /^[1-9]\d{0,4}$/

/** Valid values of some attributes. */
const VALUES: Readonly<Record<string, RegExp>> = {
  colspan: COUNT,
  rowspan: /^\d{1,5}$/,
  span: COUNT,
  start: NUMBER,
  value: NUMBER,
  width: /^\d{1,6}$/,
  height: /^\d{1,6}$/,
  dir: /^(?:ltr|rtl|auto)$/,
  lang: /^[A-Za-z]{2,8}(?:-[A-Za-z\d]{1,8})*$/,
  'xml:lang': /^[A-Za-z]{2,8}(?:-[A-Za-z\d]{1,8})*$/,
  tabindex: NUMBER,
  id: /^\S+$/,
  scope: /^(?:row|col|rowgroup|colgroup)$/,
  shape: /^(?:circle|default|poly|rect)$/,
}

/** The `type` of ordered lists is checked separately from that of other elements, which is a media type. */
const LIST_TYPE = /^[1aAiI]$/
const MEDIA_TYPE = /^[\w!#$&+^-]+\/[\w!#$&+.^-]+/

/** Words of EPUB's vocabulary (https://idpf.org/epub/vocab/structure/) that Calibre leaves in a plain `type`. */
const SEMANTIC =
  /^(?:(?:z3998:)?(?:abstract|acknowledgments|afterword|annotation|appendix|backlink|backmatter|biblioentry|bibliography|bibliorefs?|bodymatter|bridgehead|chapter|colophon|conclusion|contributors|copyright-page|cover|dedication|division|endnotes?|epigraph|epilogue|errata|footnotes?|foreword|frontmatter|glossary|glossdef|glossterm|halftitle|halftitlepage|imprimatur|imprint|index|introduction|keywords?|landmarks|list|loi|lot|noteref|notes?|pagebreak|page-list|part|poem|preamble|preface|prologue|qna|rearnotes?|sidebar|subchapter|subtitle|title|titlepage|toc|volume)\s*)+$/

/** Removes attributes that XHTML does not allow, or whose values are invalid. */
export function filterAttributes({ name, attributes }: XmlElement): void {
  const own = OWN[name]
  const { type } = attributes
  if (type !== undefined && !type.includes('/') && SEMANTIC.test(type.trim())) {
    attributes['epub:type'] ??= type.replaceAll('z3998:', '').trim()
    delete attributes.type
  }
  for (const [key, value] of Object.entries(attributes)) {
    const isAllowed = GLOBAL.has(key) || own?.has(key) || /^(?:data|aria)-[a-z][\w.-]*$/.test(key)
    const pattern = key === 'type' ? (name === 'ol' ? LIST_TYPE : MEDIA_TYPE) : VALUES[key]
    const isValue = !pattern || (key === 'value' && name !== 'li') || pattern.test(value)
    if (!isAllowed || !isValue) delete attributes[key]
  }
  if (attributes['xml:lang'] !== undefined && attributes.lang === undefined)
    attributes.lang = attributes['xml:lang']
  if (attributes.lang !== undefined) attributes['xml:lang'] = attributes.lang
}
