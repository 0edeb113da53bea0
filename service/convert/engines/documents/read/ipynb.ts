/** Reads notebooks of Jupyter by way of the HTML that they stand for: https://nbformat.readthedocs.io/en/latest/format_description.html */
import { JobFailure } from '../../../../shared/errors.ts'
import type { Document } from '../model.ts'
import { picture, pre } from './by-html.ts'
import { plainText } from './decode.ts'
import { readWebPage } from './html/page.ts'
import { parseMarkdown, renderMarkdown } from './markdown/parse.ts'

type Text = string | string[]

interface Cell {
  cell_type?: string
  source?: Text
  /** Code of notebooks before version 4, whose headings are cells with a level. */
  input?: Text
  level?: number
  outputs?: Output[]
  attachments?: Record<string, Record<string, Text>>
}

interface Output {
  output_type?: string
  text?: Text
  data?: Record<string, Text>
  traceback?: string[]
}

interface Notebook {
  cells?: Cell[]
  worksheets?: { cells?: Cell[] }[]
  metadata?: { title?: string; language_info?: { name?: string }; kernelspec?: { language?: string } }
}

/** What programs write in colours on a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: ESC begins them
const COLOURS = /\u001b\[[\d;]*m/g

const textOf = (text: Text | undefined): string => (Array.isArray(text) ? text.join('') : String(text ?? ''))

/** Texts, code with its language, and what came out of it: pictures, tables and text. @throws JobFailure corrupt_input */
export function readNotebook(bytes: Uint8Array): Document {
  const { cells, worksheets = [], metadata = {} } = notebookIn(plainText(bytes))
  const language = metadata.language_info?.name ?? metadata.kernelspec?.language ?? ''
  const all = cells ?? worksheets.flatMap(sheet => sheet.cells ?? [])
  const unknown = new Set<string>()
  const body = all.map(cell => htmlOf(cell, language, unknown)).join('\n')
  const page = readWebPage(`<!DOCTYPE html><html><body>${body}</body></html>`)
  return { ...page, title: metadata.title ?? page.title, unknown: [...unknown] }
}

function notebookIn(text: string): Notebook {
  try {
    const read: Notebook | null = JSON.parse(text)
    if (Array.isArray(read?.cells) || Array.isArray(read?.worksheets)) return read
  } catch {
    // Told as a file of another kind.
  }
  throw new JobFailure('jobs.corrupt_input')
}

function htmlOf(cell: Cell, language: string, unknown: Set<string>): string {
  const source = textOf(cell.source ?? cell.input)
  switch (cell.cell_type) {
    case 'markdown':
      return markdown(source.replace(/attachment:([^)\s"]+)/g, (all, name) => attached(cell, name) ?? all))
    case 'heading':
      return markdown(`${'#'.repeat(cell.level ?? 1)} ${source}`)
    case 'code':
      return code(source, language) + (cell.outputs ?? []).map(output => outputOf(output, unknown)).join('')
    default:
      return code(source)
  }
}

const markdown = (text: string) => renderMarkdown(parseMarkdown(text))

const code = (text: string, language?: string) => text.trim() && pre([text], language)

/** The richest form of an output that can be read. */
function outputOf({ text, data = {}, traceback }: Output, unknown: Set<string>): string {
  const type = ['image/png', 'image/jpeg', 'image/gif'].find(each => data[each])
  if (type) return `<p>${picture(address(type, data[type]))}</p>`
  if (data['image/svg+xml']) return `<p>${textOf(data['image/svg+xml'])}</p>`
  const html = textOf(data['text/html'])
  if (html && !/<script/i.test(html)) return `<div>${html}</div>`
  const marked = data['text/markdown'] ?? data['text/latex']
  if (marked) return markdown(textOf(marked))
  // What only a script draws.
  const [drawn] = Object.keys(data).filter(each => each !== 'text/plain')
  if (drawn) unknown.add(drawn)
  const lines = traceback?.join('\n') ?? textOf(text ?? data['text/plain'])
  return code(lines.replace(COLOURS, ''))
}

function attached({ attachments = {} }: Cell, name: string): string | undefined {
  const [[type, bytes] = []] = Object.entries(attachments[name] ?? {})
  return type && address(type, bytes)
}

const address = (type: string, bytes: Text | undefined) =>
  `data:${type};base64,${textOf(bytes).replace(/\s/g, '')}`
