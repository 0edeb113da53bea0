/** A page with the files that came with it, as one file: what it names by their names is put into it. */
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { Readable } from 'node:stream'
import { formatOfWord, formats } from '../../../convert/catalogue/formats.ts'
import { RequestError } from '../../../shared/errors.ts'
import { message } from '../../../shared/messages/message.ts'
import { findEdge } from '../../../work/intake/prepare.ts'
import { checkSize, receiveBody, type UploadedFile } from '../../../work/intake/upload.ts'
import { type Call, converted, textOf, unknownValue } from '../conversion.ts'
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

/** The paper as CSS that comes before that of the page; empty if the form does not say. */
function paperOf(fields: Fields): string {
  const [width, height, ...margins] = PAPER.map(name => {
    const value = fields.get(name)
    if (!value) return undefined
    if (!LENGTH.test(value)) throw unknownValue(name, value)
    return /\d$/.test(value) ? `${value}in` : value
  })
  const isWide = flag(fields, 'landscape')
  // US Letter and margins of 0.39 in are what Gotenberg has without a word.
  const [shown, high] = [width ?? '8.5in', height ?? '11in']
  const size = isWide ? `${high} ${shown}` : `${shown} ${high}`
  return `<style>@page { size: ${size}; margin: ${margins.map(margin => margin ?? '0.39in').join(' ')} }</style>`
}
