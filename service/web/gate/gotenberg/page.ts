/** A page with the files that came with it, as one file: what it names by their names is put into it. */
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { Readable } from 'node:stream'
import { formatOfWord, formats } from '../../../convert/catalogue/formats.ts'
import type { Options } from '../../../convert/catalogue/task.ts'
import { RequestError } from '../../../shared/errors.ts'
import { message } from '../../../shared/messages/message.ts'
import { findEdge } from '../../../work/intake/prepare.ts'
import { checkSize, receiveBody, type UploadedFile } from '../../../work/intake/upload.ts'
import { type Call, converted, given, textOf, unknownValue } from '../conversion.ts'
import { type Fields, flag } from './fields.ts'

/** The measures of its paper, in inches unless they name their unit. */
const PAPER = ['paperWidth', 'paperHeight', 'marginTop', 'marginRight', 'marginBottom', 'marginLeft']
const LENGTH = /^\d{1,4}(?:\.\d{1,4})?(?:in|cm|mm|pt|px|pc)?$/

/** @throws RequestError if there is no index.html, or a measure is none */
export async function wholePage(call: Call, files: readonly UploadedFile[], fields: Fields) {
  const index = files.find(({ name }) => name === 'index.html')
  if (!index) throw new RequestError('request.no_files', message('gate.no_index'))
  let html = await readFile(index.path, 'utf8')
  for (const [whole, , name] of html.matchAll(/\{\{\s*toHTML\s+(["'`])([^"'`]+)\1\s*\}\}/g)) {
    const file = files.find(each => each.name === name)
    if (!file) throw new RequestError('request.no_files', message('gate.no_index'))
    const page = await textOf(call, await converted(call, file, 'html', { pictures: 'none' }))
    html = html.replace(whole, () => /<body[^>]*>([\s\S]*)<\/body>/i.exec(page)?.[1] ?? page)
  }
  const named = new Map(
    files.flatMap(file => (file !== index && html.includes(file.name) ? [[file.name, file]] : [])),
  )
  const { catalogue, config, incoming } = call.services
  // A larger page is refused as a source, too, but only once it is in memory.
  const { limits } = findEdge(catalogue, 'html', 'pdf').converter
  const bytes = [index, ...named.values()].reduce((sum, file) => sum + file.bytes, 0)
  checkSize(bytes, Math.min(limits.bytes, config.maxFileBytes))
  const [styles, addresses] = [new Map<string, string>(), new Map<string, string>()]
  for (const { name, path } of named.values()) {
    const isStyle = /\.css$/i.test(name)
    const format = formatOfWord(extname(name).slice(1))
    const mime = isStyle ? 'text/css' : format ? formats[format].mime : 'application/octet-stream'
    const content = await readFile(path)
    if (isStyle) styles.set(name, content.toString())
    addresses.set(name, `data:${mime};base64,${content.toString('base64')}`)
  }
  const whole = inlined(html, styles, addresses)
  return receiveBody(Readable.from([paperOf(fields), whole]), incoming, config.maxFileBytes, 'index.html')
}

/**
 * A page with what it names put into it, in time that grows with its length whatever is written in it.
 * @param styles style sheets by the names of their files
 * @param addresses `data:` URIs of all files by their names
 */
export const inlined = (
  html: string,
  styles: ReadonlyMap<string, string>,
  addresses: ReadonlyMap<string, string>,
): string =>
  html
    .replace(/<link\b[^<>]*>/gi, link => {
      const css = styles.get(/\bhref=["']?(?:\.\/)?([^"'\s>]+)/i.exec(link)?.[1] ?? '')
      return css === undefined ? link : `<style>${css.replaceAll('</', '<\\/')}</style>`
    })
    .replace(/\b(src|href)=(["'])(?:\.\/)?([^"']+)\2/gi, (attribute, key, quote, name) => {
      const data = addresses.get(name)
      return data === undefined ? attribute : `${key}=${quote}${data}${quote}`
    })

/** Classes of elements in a header or footer that a browser fills, and what stands for them in a PDF's own. */
const FILLED = { pageNumber: '{page}', totalPages: '{pages}' }
/** Much more than a line. */
const LONGEST_MARGIN = 64 * 2 ** 10

/**
 * The text of `header.html` and `footer.html` as options of the PDF: one line, at the side and of the size that it asks for.
 * @throws RequestError for a header with a picture, which would be missing
 */
export async function marginsOf(call: Call, files: readonly UploadedFile[]): Promise<Options> {
  const [header, footer] = await Promise.all(
    ['header.html', 'footer.html'].map(async name => {
      const file = files.find(each => each.name === name)
      if (!file) return undefined
      checkSize(file.bytes, LONGEST_MARGIN)
      const html = await readFile(file.path, 'utf8')
      if (/<(?:img|svg)\b/i.test(html))
        throw new RequestError('request.invalid_parameter', message('gate.margin_picture', { name }))
      const filled = html.replace(/<\w[^<>]*>/g, tag => {
        const [, sign = ''] = Object.entries(FILLED).find(([word]) => tag.includes(word)) ?? []
        return tag + sign
      })
      await using page = await receiveBody(
        Readable.from([filled]),
        call.services.incoming,
        2 * LONGEST_MARGIN,
        name,
      )
      const text = await textOf(call, await converted(call, page, 'txt'))
      return { html, text: text.replace(/\s+/g, ' ').trim() }
    }),
  )
  if (!(header?.text || footer?.text)) return {}
  const style = `${header?.html ?? ''}${footer?.html ?? ''}`
  const side = /text-align:\s*(center|right)/i.exec(style)?.[1]?.toLowerCase() ?? 'left'
  const [, size, unit] = /font-size:\s*(\d{1,2})(pt|px)/i.exec(style) ?? []
  return {
    headers: given({
      header: header?.text,
      footer: footer?.text,
      side: side === 'center' ? 'centre' : side,
      size: size && Math.max(4, Math.round(Number(size) * (unit === 'px' ? 0.75 : 1))),
    }),
  }
}

/** The paper as CSS that comes before that of the page; empty if the form does not say. */
function paperOf(fields: Fields): string {
  const [width, height, ...margins] = PAPER.map(name => {
    const value = fields.get(name)
    if (!value) return undefined
    if (!LENGTH.test(value)) throw unknownValue(name, value)
    return /\d$/.test(value) ? `${value}in` : value
  })
  const isWide = flag(fields, 'landscape')
  const scale = fields.get('scale')
  // Nothing here sets a page smaller, and one that is cut off is worse than a refusal.
  if (scale && Number(scale) !== 1) throw unknownValue('scale', scale)
  // US Letter and margins of 0.39 in are what Gotenberg has without a word.
  const [shown, high] = [width ?? '8.5in', height ?? '11in']
  const size = isWide ? `${high} ${shown}` : `${shown} ${high}`
  return `<style>@page { size: ${size}; margin: ${margins.map(margin => margin ?? '0.39in').join(' ')} }</style>`
}
