/** Reads a comic: an archive of pictures, whose names give their order, often with a ComicInfo.xml. */
import { createWriteStream } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { JobFailure } from '../../../../shared/errors.ts'
import { message } from '../../../../shared/messages/message.ts'
import { pictureKind, readHead } from '../../../../shared/picture-signatures.ts'
import type { Task } from '../../../catalogue/task.ts'
import { openListed } from '../../../engines/archives/open.ts'
import { decodeText } from '../../../engines/common/text.ts'
import { childOf, textOf } from '../../../engines/common/xml/element.ts'
import { rootIn } from '../../../engines/common/xml/tree.ts'

export interface Comic {
  /** Paths of the pictures, in order. */
  pages: string[]
  title: string
  authors: string[]
  /** BCP 47; `und` if unknown. */
  language: string
  rightToLeft: boolean
}

const PAGE_LIMIT = 5000
const INFO_BYTES = 1_000_000

const order = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** What a Mac adds to archives, and files that are hidden on Unix. */
const isHidden = (path: string) => /(?:^|\/)(?:\.|__MACOSX\/)/.test(path)

/**
 * Unpacks the pictures into the task's folder.
 * @throws JobFailure encrypted_input, corrupt_input, unsupported_input, too_large
 */
export async function readComic({ input, folder, cores, warn }: Task): Promise<Comic> {
  const format = await archiveOf(input.path)
  const archive = await openListed(input.path, format, { password: undefined, cores, warn, stem: input.stem })
  const found: { name: string; path: string }[] = []
  let info = ''
  let count = 0
  for await (const { entry, data } of archive.contents()) {
    if (isHidden(entry.path)) continue
    const path = join(folder, `page-${count++}`)
    await pipeline(Readable.from(data), createWriteStream(path))
    if (pictureKind(await readHead(path))) found.push({ name: entry.path, path })
    else {
      if (/(?:^|\/)ComicInfo\.xml$/i.test(entry.path) && entry.size < INFO_BYTES)
        info = decodeText(await readFile(path))
      await rm(path)
    }
    if (found.length > PAGE_LIMIT)
      throw new JobFailure('jobs.too_large', message('ebooks.too_many_files', { limit: PAGE_LIMIT }))
  }
  if (found.length === 0) throw new JobFailure('jobs.unsupported_input', message('ebooks.no_text'))
  const pages = found.toSorted((a, b) => order.compare(a.name, b.name)).map(({ path }) => path)
  return { pages, ...factsIn(info, input.stem) }
}

/** What the file is, whatever its name says. */
export async function archiveOf(path: string): Promise<'7z' | 'rar' | 'zip'> {
  const head = (await readHead(path)).toString('latin1', 0, 6)
  if (head.startsWith('Rar!')) return 'rar'
  return head.startsWith('7z\xbc\xaf') ? '7z' : 'zip'
}

/** https://anansi-project.github.io/docs/comicinfo/documentation */
function factsIn(info: string, stem: string): Omit<Comic, 'pages'> {
  const field = (name: string) => textOf(childOf(root, name)).trim()
  const root = info ? rootIn(info) : undefined
  const series = [field('Series'), field('Number')].filter(Boolean).join(' ')
  return {
    title: [series, field('Title')].filter(Boolean).join(': ') || stem,
    authors: field('Writer')
      .split(/\s*,\s*/)
      .filter(Boolean),
    language: /^[a-z]{2,3}(?:-\w+)*$/i.test(field('LanguageISO')) ? field('LanguageISO') : 'und',
    rightToLeft: field('Manga') === 'YesAndRightToLeft',
  }
}
