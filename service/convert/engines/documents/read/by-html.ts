/** What readers of markup share that write the HTML which a text stands for. */
import { escapeXml } from '../../common/xml/characters.ts'
import type { Document } from '../model.ts'
import { readWebPage } from './html/page.ts'

/** What a text says of itself, by the names of its fields in lower case. */
export type Facts = Partial<Record<'title' | 'author' | 'language' | 'date', string>>

/**
 * @param notes HTML of the notes by the names that `noteLink` gets
 * @param unknown what was not understood
 */
export function documentOf(
  body: string,
  notes: ReadonlyMap<string, string>,
  { title = '', author, language = '', date }: Facts,
  unknown: Iterable<string>,
): Document {
  const items = Array.from(notes, ([name, html]) => `<li id="fn-${escapeXml(name)}">${html}</li>`)
  const page = readWebPage(
    `<!DOCTYPE html><html><body>${body}<section class="footnotes"><ol>${items.join('')}</ol></section></body></html>`,
  )
  return {
    ...page,
    title,
    hasOwnTitle: title !== '',
    authors: author ? [author] : [],
    language,
    date,
    unknown: [...unknown],
  }
}

export const anchor = (name: string): string => `<a id="${escapeXml(name)}"></a>`

export const noteLink = (name: string): string => `<a href="#fn-${escapeXml(name)}">${escapeXml(name)}</a>`

export const link = (address: string, inner: string): string => `<a href="${escapeXml(address)}">${inner}</a>`

export const picture = (address: string, description = '', more = ''): string =>
  `<img src="${escapeXml(address)}" alt="${escapeXml(description)}"${more}>`

export const pre = (lines: readonly string[], language = ''): string =>
  `<pre><code class="language-${escapeXml(language)}">${escapeXml(lines.join('\n'))}</code></pre>`

export const equation = (tex: string, display: boolean): string =>
  `<span class="math ${display ? 'display' : 'inline'}">${escapeXml(tex)}</span>`

/** A cell of a table, and how many columns and rows it covers. */
export interface HtmlCell {
  html: string
  columns?: number
  rows?: number
  align?: string | undefined
}

/** @param heads how many of the rows are the head */
export function table(rows: readonly (readonly HtmlCell[])[], heads: number, caption = ''): string {
  const written = rows.map((cells, at) => {
    const tag = at < heads ? 'th' : 'td'
    const inner = cells.map(({ html, columns = 1, rows: height = 1, align }) => {
      const spans = (columns > 1 ? ` colspan="${columns}"` : '') + (height > 1 ? ` rowspan="${height}"` : '')
      return `<${tag}${spans}${align ? ` style="text-align: ${align}"` : ''}>${html}</${tag}>`
    })
    return `<tr>${inner.join('')}</tr>`
  })
  return `<table>${captionOf(caption)}${written.join('\n')}</table>`
}

const captionOf = (caption: string) => caption && `<caption>${caption}</caption>`

/** HTML that begins with a table, or holds one, whose caption this becomes. */
export const captioned = (html: string, caption: string): string =>
  html.replace('<table>', start => start + captionOf(caption))

type Parts = Readonly<Record<string, string | undefined>>

/** Writes what a part of a line means, given the name of the group of a pattern in which it was found, and all that was. */
export type PartWriters = Readonly<Record<string, (part: string, whole: string, parts: Parts) => string>>

/** The HTML of a line: each part as the first of the groups in which it is says, and otherwise as it stands there. */
export const writtenLine = (text: string, pattern: RegExp, writers: PartWriters): string =>
  text.replace(pattern, (whole: string, ...found) => {
    const parts = found.at(-1) as Parts
    const group = Object.keys(writers).find(name => parts[name] !== undefined)
    return group ? writers[group]!(parts[group]!, whole, parts) : escapeXml(whole)
  })

/** The content of a cell or an item, without a paragraph around it if it is nothing else. */
export const tight = (html: string): string => html.replace(/^<p>((?:(?!<p>)[\s\S])*?)<\/p>/, '$1')

export const indentOf = (line: string): number => line.search(/\S|$/)

/** Lines without the indentation that all have. */
export function dedented(lines: readonly string[]): string[] {
  const least = Math.min(...lines.flatMap(line => (line.trim() === '' ? [] : indentOf(line))), 1000)
  return lines.map(line => line.slice(Math.min(least, indentOf(line))))
}
