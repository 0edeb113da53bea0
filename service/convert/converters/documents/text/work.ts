import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { formats } from '../../../catalogue/formats.ts'
import type { Output, Task } from '../../../catalogue/task.ts'
import { dataAddress } from '../../../engines/common/addresses.ts'
import { textIn } from '../../../engines/common/text.ts'
import type { ReadOptions } from '../../../engines/documents/format.ts'
import { readers, texts, writers } from '../../../engines/documents/index.ts'
import { type Document, isEmpty, type PictureUse, picturesIn } from '../../../engines/documents/model.ts'
import type { EncodingOption } from '../options.ts'
import { dumped } from './dump.ts'
import type { SlideTextOptions, WordTextOptions } from './options.ts'

/**
 * Converts a text document, or what LibreOffice saves as a Word document or presentation, to another format of text documents.
 * Pictures are files of their own or within the text.
 * @throws JobFailure encrypted_input, corrupt_input, unsupported_input, too_large
 */
export async function convert(
  task: Task<WordTextOptions & SlideTextOptions & EncodingOption>,
): Promise<Output[]> {
  task.progress(0, 'preparing')
  return writeText(task, await documentIn(task))
}

/** @throws JobFailure as the format's reader does */
export async function documentIn({
  source,
  input,
  options,
  ...task
}: Task<ReadOptions & EncodingOption>): Promise<Document> {
  const read = async (format: keyof typeof readers, bytes: Buffer | Uint8Array) => {
    const isText = texts.includes(format) || format === 'txt'
    const given = isText ? Buffer.from(textIn(bytes, { options, warn: task.warn })) : bytes
    const document = await (await readers[format]())(given, options)
    const names = shortened(document.unknown ?? [])
    if (names) task.warn(message('text.not_understood', { names }))
    return document
  }
  if (source === 'textpack') {
    const { packedText } = await import('./packed.ts')
    const text = packedText(await readFile(input.path), task.warn)
    return text.withPictures(await read(text.source, text.bytes))
  }
  if (isKey(readers, source)) return read(source, await readFile(input.path))
  const { kindOf, officeFile } = await import('../office/file.ts')
  const format = kindOf(source) === 'slides' ? 'pptx' : 'docx'
  const { bytes } = await officeFile({ ...task, source, input, options }, format)
  // What LibreOffice has saved is not protected.
  return (await readers[format]())(bytes, { ...options, password: undefined })
}

/** The first names of a list. */
const shortened = (names: readonly string[]): string =>
  [...names.slice(0, 5).map(name => name.slice(0, 30)), ...(names.length > 5 ? ['…'] : [])].join(', ')

const isKey = <Table extends object>(table: Table, key: string): key is keyof Table & string =>
  Object.hasOwn(table, key)

/**
 * Writes a document in the task's target format.
 * @throws JobFailure unsupported_input if it is empty
 */
export async function writeText(task: Task<WordTextOptions>, read: Document): Promise<Output[]> {
  const { input, target, folder, options } = task
  const document = await dumped(read, input.stem)
  if (isEmpty(document.blocks)) throw new JobFailure('jobs.unsupported_input', message('word.empty'))
  if (!isKey(writers, target)) throw new Error(`nothing writes ${target}`)
  const { pictures: place, load } = writers[target]
  task.progress(0.4, 'converting')
  const wantsPictures = place === 'held' || (place !== 'none' && (options.pictures ?? 'none') !== 'none')
  const keepsMetafiles = place === 'beside' && options.pictures === 'files'
  const pictures = wantsPictures
    ? await picturesFor(document, folder, keepsMetafiles)
    : new Map<string, never>()
  warnOfLosses(task, document, pictures, wantsPictures, place === 'held')

  const used = new Set<string>()
  const file = ({ source }: PictureUse) => ('file' in source ? pictures.get(source.file) : undefined)
  const address = (use: PictureUse) => {
    if (!wantsPictures) return undefined
    const { source } = use
    // A web page may show pictures beside it, other documents only those of the web.
    if ('address' in source)
      return texts.some(each => each === task.source) ||
        task.source === 'textpack' ||
        /^https?:/i.test(source.address)
        ? source.address
        : undefined
    const picture = file(use)
    if (!picture) return undefined
    if (options.pictures === 'inline') return dataAddress(picture.mime, picture.bytes)
    used.add(picture.name)
    return picture.name
  }
  const write = await load()
  const written = await write(document, { fileName: input.stem, date: new Date(), address, file })
  // A book of pictures, say.
  if (typeof written === 'string' && written.trim() === '')
    throw new JobFailure('jobs.unsupported_input', message('markdown.empty'))
  const suffix = formats[target].suffixes[0]
  const path = join(folder, `document.${suffix}`)
  await writeFile(path, written)
  const outputs: Output[] = [{ path, name: `${input.stem}.${suffix}` }]
  for (const { name, bytes } of pictures.values()) {
    if (!used.has(name)) continue
    const beside = join(folder, name)
    await writeFile(beside, bytes)
    outputs.push({ path: beside, name })
  }
  return outputs
}

/** Pictures need engines, which are loaded only for a document that has some. */
async function picturesFor(document: Document, folder: string, keepsMetafiles: boolean) {
  if (!picturesIn(document).some(({ source }) => 'file' in source)) return new Map<string, never>()
  const { MetafileRenderer } = await import('../../../engines/documents/pictures/metafiles.ts')
  const { picturesOf } = await import('../../../engines/documents/pictures/pictures.ts')
  await using renderer = new MetafileRenderer(folder)
  return await picturesOf(document, renderer, keepsMetafiles)
}

function warnOfLosses(
  task: Pick<Task, 'warn'>,
  document: Document,
  pictures: ReadonlyMap<string, { isMetafile: boolean }>,
  wantsPictures: boolean,
  isHeld: boolean,
): void {
  const lost = picturesIn(document).filter(({ source }) =>
    'file' in source ? !pictures.has(source.file) : isHeld,
  )
  if (wantsPictures && lost.length > 0) task.warn(message('word.pictures_lost', { count: lost.length }))
  const metafiles = [...pictures.values()].filter(({ isMetafile }) => isMetafile).length
  if (metafiles > 0) task.warn(message('word.drawings_kept', { count: metafiles }))
  if (document.unsupportedChunks > 0)
    task.warn(message('word.chunks_lost', { count: document.unsupportedChunks }))
  if (document.lostObjects > 0) task.warn(message('word.objects_lost', { count: document.lostObjects }))
}
