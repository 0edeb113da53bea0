/** Repairs PDF files (ISO 32000-1) that lack their end, their cross-reference table or their page tree. */
import { constants, inflateSync } from 'node:zlib'

/** Maximum total size of unpacked object streams. */
const UNPACKED_BYTES = 256 * 2 ** 20
/** Longest dictionary that is examined. */
const DICTIONARY_CHARACTERS = 1 << 20
/** Maximum number of objects in a file: the highest object number in the format (annex C). */
const OBJECT_LIMIT = 8_388_607
/** Maximum number of object starts that are examined, and longest list of numbers in an object stream. */
const FOUND_LIMIT = 1_000_000
const NUMBERS_CHARACTERS = 1 << 23

const WHITE = '[\\0\\t\\n\\f\\r ]'
const OBJECT = new RegExp(`(\\d{1,7})${WHITE}+(\\d{1,5})${WHITE}+obj(?![A-Za-z])`, 'g')

interface FoundObject {
  generation: number
  /** Position of its number in the written file. */
  offset: number
  /** Its content up to its stream or its end. */
  dictionary: string
}

/**
 * The file with a table of all its objects and a flat tree of all pages with content, in order.
 * @returns undefined if no page is left
 */
export function repairPdf(damaged: Buffer): Buffer | undefined {
  const start = Math.max(0, damaged.indexOf('%PDF-'))
  const hasHeader = damaged.toString('latin1', start, start + 5) === '%PDF-'
  const head = Buffer.from(hasHeader ? '' : '%PDF-1.7\n')
  // Ends a stream or an object that was truncated.
  const body = Buffer.concat([head, damaged.subarray(start), Buffer.from('\nendstream\nendobj\n')])
  const text = body.toString('latin1')
  const objects = new Map<number, FoundObject>()
  const unpacked: string[] = []
  let end = body.length
  let budget = UNPACKED_BYTES
  const encryption = /\/Encrypt\s+\d+\s+\d+\s+R/.exec(text)?.[0]

  const found: { number: number; generation: number; offset: number; from: number }[] = []
  for (const { 0: whole, 1: number, 2: generation, index } of text.matchAll(OBJECT)) {
    const from = index + whole.length
    if (
      found.push({ number: Number(number), generation: Number(generation), offset: index, from }) >
      FOUND_LIMIT
    )
      return undefined
  }
  for (const [index, { number, generation, offset, from }] of found.entries()) {
    const content = text.slice(from, found[index + 1]?.offset ?? text.length)
    const dictionary = dictionaryOf(content)
    objects.set(number, { generation, offset, dictionary })
    if (encryption || !/\/Type\s*\/ObjStm/.test(dictionary)) continue
    const packed = packedObjects(dictionary, body.subarray(from + dictionary.length), budget)
    for (const [inner, object] of packed) {
      const written = `${inner} 0 obj\n${object}\nendobj\n`
      objects.set(inner, { generation: 0, offset: end, dictionary: object })
      unpacked.push(written)
      end += written.length
      budget -= object.length
    }
  }
  // Without the trailer's encryption entry, nothing can be read.
  const isLocked = objects.values().some(({ dictionary }) => /\/Filter\s*\/Standard\b/.test(dictionary))
  const pages = isLocked && !encryption ? [] : pagesOf(objects)
  const last = objects.keys().reduce((most, number) => Math.max(most, number), 0)
  if (pages.length === 0 || last + 2 > OBJECT_LIMIT) return undefined

  const [root, tree] = [last + 1, last + 2]
  const kids = pages.map(page => `${page} ${objects.get(page)?.generation} R`).join(' ')
  const added = [
    [root, catalogue(objects, tree)],
    [tree, `<< /Type /Pages /Count ${pages.length} /Kids [${kids}] >>`],
  ] as const
  for (const [number, object] of added) {
    const written = `${number} 0 obj\n${object}\nendobj\n`
    objects.set(number, { generation: 0, offset: end, dictionary: object })
    unpacked.push(written)
    end += written.length
  }
  const identity = /\/ID\s*\[[^\]]{0,512}\]/.exec(text)?.[0] ?? ''
  const trailer = `trailer\n<< /Size ${tree + 1} /Root ${root} 0 R ${encryption ? `${encryption} ${identity}` : ''} >>\nstartxref\n${end}\n%%EOF\n`
  return Buffer.concat([body, Buffer.from(unpacked.join('') + tableOf(objects) + trailer, 'latin1')])
}

/** An object up to its stream, or up to its end. */
function dictionaryOf(content: string): string {
  const part = content.slice(0, DICTIONARY_CHARACTERS)
  const end = /stream\b|endobj\b/.exec(part)?.index
  return end === undefined ? part : part.slice(0, end)
}

const numberOf = (dictionary: string, key: string) =>
  Number(new RegExp(`/${key}\\s+(\\d{1,9})`).exec(dictionary)?.[1] ?? 0)

/** Objects of an object stream (ISO 32000-1, 7.5.7), as far as it can be unpacked. */
function* packedObjects(dictionary: string, bytes: Buffer, budget: number): Generator<[number, string]> {
  if (!/\/FlateDecode/.test(dictionary) || /\/Predictor\s+(?!1\b)/.test(dictionary) || budget <= 0) return
  const start = /^stream\r?\n/.exec(bytes.toString('latin1', 0, 8))?.[0].length
  if (start === undefined || numberOf(dictionary, 'First') > NUMBERS_CHARACTERS) return
  const [count, first, length] = [
    numberOf(dictionary, 'N'),
    numberOf(dictionary, 'First'),
    numberOf(dictionary, 'Length'),
  ]
  const marked = bytes.indexOf('endstream')
  // A length stored elsewhere is a reference rather than a number; the end of the stream is then found by what follows
  // it.
  const isReference = /\/Length\s+\d+\s+\d+\s+R/.test(dictionary)
  const packed = bytes.subarray(start, isReference || !length ? marked : start + length)
  let text: string
  try {
    text = inflateSync(packed, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: budget }).toString(
      'latin1',
    )
  } catch {
    return
  }
  const numbers = text.slice(0, first).trim().split(/\s+/).map(Number)
  for (let i = 0; i < Math.min(count, numbers.length >> 1); i++) {
    const [number = 0, from = 0] = numbers.slice(i * 2, i * 2 + 2)
    const to = numbers[i * 2 + 3] ?? text.length - first
    if (number > 0 && number < OBJECT_LIMIT && first + from < text.length)
      yield [number, text.slice(first + from, first + Math.max(from, to))]
  }
}

/** The content of a key's array. */
function listOf(dictionary: string, key: string): string | undefined {
  const start = new RegExp(`/${key}\\s*\\[`).exec(dictionary)
  if (!start) return undefined
  const from = start.index + start[0].length
  const end = dictionary.indexOf(']', from)
  return end < 0 ? undefined : dictionary.slice(from, end)
}

/** Numbers of the pages with content: first in the order of what is left of their tree, then in the order of the file. */
function pagesOf(objects: ReadonlyMap<number, FoundObject>): number[] {
  const isPage = ({ dictionary }: FoundObject) => /\/Type\s*\/Page(?![A-Za-z])/.test(dictionary)
  const isTree = ({ dictionary }: FoundObject) => /\/Type\s*\/Pages(?![A-Za-z])/.test(dictionary)
  const references = (text = '') => [...text.matchAll(/(\d+)\s+\d+\s+R/g)].map(([, number]) => Number(number))
  const seen = new Set<number>()
  const pages: number[] = []
  const hasContent = ({ dictionary }: FoundObject) => {
    const contents = listOf(dictionary, 'Contents') ?? /\/Contents\s*(\d+\s+\d+\s+R)/.exec(dictionary)?.[1]
    return contents === undefined || references(contents).some(number => objects.has(number))
  }
  /** Numbers still to be visited, the next one last. */
  const waiting: number[] = []
  const visit = () => {
    for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
      const object = objects.get(number)
      if (!object || seen.has(number)) continue
      seen.add(number)
      if (isPage(object) && hasContent(object)) pages.push(number)
      else if (isTree(object)) {
        for (const kid of references(listOf(object.dictionary, 'Kids')).reverse()) waiting.push(kid)
      }
    }
  }
  const inFile = [...objects].sort(([, a], [, b]) => a.offset - b.offset)
  const parents = new Set(objects.keys())
  for (const [number, object] of inFile) {
    const parent = numberOf(object.dictionary, 'Parent')
    if (isTree(object) && !parents.has(parent)) waiting.unshift(number)
  }
  visit()
  for (const [number, object] of inFile) {
    if (isPage(object)) waiting.push(number)
    visit()
  }
  return pages
}

/** A catalogue with this page tree and the entries of the old one that matter for reading. */
function catalogue(objects: ReadonlyMap<number, FoundObject>, tree: number): string {
  const old = [...objects.values()].findLast(({ dictionary }) => /\/Type\s*\/Catalog\b/.test(dictionary))
  const kept = ['AcroForm', 'OCProperties', 'StructTreeRoot', 'Outlines'].flatMap(key => {
    const reference = new RegExp(`/${key}\\s+(\\d+)\\s+\\d+\\s+R`).exec(old?.dictionary ?? '')
    return reference && objects.has(Number(reference[1])) ? [reference[0]] : []
  })
  return `<< /Type /Catalog /Pages ${tree} 0 R ${kept.join(' ')} >>`
}

/** The cross-reference table (ISO 32000-1, 7.5.4). */
function tableOf(objects: ReadonlyMap<number, FoundObject>): string {
  const lines = [...objects]
    .filter(([number]) => number > 0)
    .map(([number, { offset, generation }]) => {
      const entry = `${String(offset).padStart(10, '0')} ${String(generation).padStart(5, '0')} n \n`
      return `${number} 1\n${entry}`
    })
  return `xref\n0 1\n0000000000 65535 f \n${lines.join('')}`
}
