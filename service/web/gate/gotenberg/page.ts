/** A page with the files that came with it, as one file: what it names by their names is put into it. */
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { Readable } from 'node:stream'
import { formatOfWord, formats } from '../../../convert/catalogue/formats.ts'
import { RequestError } from '../../../shared/errors.ts'
import { message } from '../../../shared/messages/message.ts'
import { receiveBody, type UploadedFile } from '../../../work/intake/upload.ts'
import { type Call, converted, textOf } from '../conversion.ts'
import type { Fields } from './fields.ts'

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
  const contents = new Map<string, string>()
  for (const file of files) {
    if (file === index || !html.includes(file.name)) continue
    const format = formatOfWord(extname(file.name).slice(1))
    const mime = /\.css$/i.test(file.name) ? 'text/css' : format && formats[format].mime
    const base64 = await readFile(file.path, 'base64')
    contents.set(file.name, `data:${mime ?? 'application/octet-stream'};base64,${base64}`)
  }
  const style = (name: string) => {
    const data = contents.get(name)
    return data?.startsWith('data:text/css')
      ? Buffer.from(data.slice(data.indexOf(',') + 1), 'base64').toString()
      : undefined
  }
  const whole = html
    .replace(/<link\b[^>]*\bhref=["']?(?:\.\/)?([^"'\s>]+)["']?[^>]*>/gi, (link, name) => {
      const css = style(name)
      return css === undefined ? link : `<style>${css.replaceAll('</', '<\\/')}</style>`
    })
    .replace(/\b(src|href)=(["'])(?:\.\/)?([^"']+)\2/gi, (attribute, key, quote, name) => {
      const data = contents.get(name)
      return data === undefined ? attribute : `${key}=${quote}${data}${quote}`
    })
  const { services } = call
  return receiveBody(
    Readable.from([paperOf(fields), whole]),
    services.incoming,
    services.config.maxFileBytes,
    'index.html',
  )
}

/** The paper as CSS that comes before that of the page; empty if the form does not say. */
function paperOf(fields: Fields): string {
  const [width, height, ...margins] = PAPER.map(name => {
    const value = fields.get(name)
    if (!value) return undefined
    if (!LENGTH.test(value))
      throw new RequestError('request.invalid_parameter', message('gate.unknown_value', { name, value }))
    return /\d$/.test(value) ? `${value}in` : value
  })
  const isWide = fields.get('landscape') === 'true'
  // US Letter and margins of 0.39 in are what Gotenberg has without a word.
  const [shown, high] = [width ?? '8.5in', height ?? '11in']
  const size = isWide ? `${high} ${shown}` : `${shown} ${high}`
  return `<style>@page { size: ${size}; margin: ${margins.map(margin => margin ?? '0.39in').join(' ')} }</style>`
}
