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

export const noteLink = (name: string): string => `<a href="#fn-${escapeXml(name)}">${escapeXml(name)}</a>`

export const link = (address: string, inner: string): string => `<a href="${escapeXml(address)}">${inner}</a>`

export const picture = (address: string, description = '', more = ''): string =>
  `<img src="${escapeXml(address)}" alt="${escapeXml(description)}"${more}>`

export const pre = (lines: readonly string[], language = ''): string =>
  `<pre><code class="language-${escapeXml(language)}">${escapeXml(lines.join('\n'))}</code></pre>`

export const equation = (tex: string, display: boolean): string =>
  `<span class="math ${display ? 'display' : 'inline'}">${escapeXml(tex)}</span>`

/** The content of a cell or an item, without a paragraph around it if it is nothing else. */
export const tight = (html: string): string => html.replace(/^<p>((?:(?!<p>)[\s\S])*?)<\/p>/, '$1')

export const indentOf = (line: string): number => line.search(/\S|$/)

/** Lines without the indentation that all have. */
export function dedented(lines: readonly string[]): string[] {
  const least = Math.min(...lines.flatMap(line => (line.trim() === '' ? [] : indentOf(line))), 1000)
  return lines.map(line => line.slice(Math.min(least, indentOf(line))))
}
