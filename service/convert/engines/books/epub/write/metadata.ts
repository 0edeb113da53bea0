import { escapeXml } from '../../../common/xml/characters.ts'
import type { Book, Identifier, Person } from '../../book/model.ts'

/** The content of `metadata`: https://www.w3.org/TR/epub-33/#sec-pkg-metadata */
export function metadataXml({ metadata, layout, rendition, primaryWritingMode }: Book, date: Date): string {
  const lines: string[] = []
  let count = 0
  /** Adds a Dublin Core element with its refinements. */
  const add = (
    name: string,
    text: string | undefined,
    refinements: readonly Refinement[] = [],
    id?: string,
  ) => {
    const value = text?.replace(/\s+/g, ' ').trim()
    if (!value) return
    const own = id ?? (refinements.length > 0 ? `m-${++count}` : undefined)
    lines.push(`<dc:${name}${own ? ` id="${own}"` : ''}>${escapeXml(value)}</dc:${name}>`)
    for (const { property, value: refined, scheme } of refinements) {
      lines.push(
        `<meta refines="#${own}" property="${property}"${scheme ? ` scheme="${scheme}"` : ''}>${escapeXml(refined)}</meta>`,
      )
    }
  }
  const { title, titleFileAs, subtitle, uniqueIdentifier, identifiers, series } = metadata
  const unique = identifiers.find(({ value }) => value === uniqueIdentifier)
  add('identifier', uniqueIdentifier, schemeOf(unique), 'uid')
  for (const identifier of identifiers) {
    if (identifier !== unique && identifier.value !== uniqueIdentifier) {
      add('identifier', identifier.value, schemeOf(identifier))
    }
  }
  add('title', title || 'Untitled', [
    ...(subtitle ? [{ property: 'title-type', value: 'main' }] : []),
    ...(titleFileAs ? [{ property: 'file-as', value: titleFileAs }] : []),
  ])
  add('title', subtitle, [{ property: 'title-type', value: 'subtitle' }])
  for (const author of metadata.authors) add('creator', author.name, refinementsOf(author))
  for (const contributor of metadata.contributors)
    add('contributor', contributor.name, refinementsOf(contributor))
  for (const language of metadata.languages.length > 0 ? metadata.languages : ['und'])
    add('language', language)
  add('publisher', metadata.publisher)
  add('date', metadata.published)
  add('description', metadata.description)
  for (const subject of metadata.subjects) add('subject', subject)
  add('rights', metadata.rights)
  lines.push(`<meta property="dcterms:modified">${date.toISOString().slice(0, 19)}Z</meta>`)
  if (series) {
    const position = series.position?.trim()
    lines.push(
      `<meta id="m-series" property="belongs-to-collection">${escapeXml(series.name)}</meta>`,
      '<meta refines="#m-series" property="collection-type">series</meta>',
    )
    if (position && /^\d+(?:\.\d+)*$/.test(position)) {
      lines.push(`<meta refines="#m-series" property="group-position">${position}</meta>`)
    }
    // Calibre and many readers know only these.
    lines.push(`<meta name="calibre:series" content="${escapeXml(series.name)}"/>`)
    if (position) lines.push(`<meta name="calibre:series_index" content="${escapeXml(position)}"/>`)
  }
  if (layout === 'fixed') lines.push('<meta property="rendition:layout">pre-paginated</meta>')
  for (const property of ['orientation', 'spread', 'flow'] as const) {
    const value = rendition[property]
    if (value) lines.push(`<meta property="rendition:${property}">${value}</meta>`)
  }
  if (primaryWritingMode) lines.push(`<meta name="primary-writing-mode" content="${primaryWritingMode}"/>`)
  return lines.join('\n')
}

interface Refinement {
  property: string
  value: string
  scheme?: string
}

function schemeOf(identifier: Identifier | undefined): Refinement[] {
  const scheme = identifier?.scheme
  // A URN already contains the scheme.
  if (!scheme || /^urn:/i.test(identifier.value)) return []
  return [{ property: 'identifier-type', value: scheme }]
}

function refinementsOf({ role, fileAs }: Person): Refinement[] {
  const refinements: Refinement[] = []
  if (role && /^[a-z]{3}$/.test(role))
    refinements.push({ property: 'role', value: role, scheme: 'marc:relators' })
  if (fileAs) refinements.push({ property: 'file-as', value: fileAs })
  return refinements
}
