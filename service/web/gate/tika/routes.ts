/** The protocol of Apache Tika's server 3, as far as its clients use it: https://cwiki.apache.org/confluence/display/TIKA/TikaServer */
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type FormatKey, formats } from '../../../convert/catalogue/formats.ts'
import { RequestError, type RequestErrorCode } from '../../../shared/errors.ts'
import { message } from '../../../shared/messages/message.ts'
import type { Job } from '../../../store/interfaces/jobs.ts'
import { nameInHeader } from '../../../work/intake/fetch/file-name.ts'
import { identify } from '../../../work/intake/identify.ts'
import { checkSize, receiveBody, type UploadedFile } from '../../../work/intake/upload.ts'
import { forRole } from '../../http/access.ts'
import { answerIn } from '../../http/replies.ts'
import type { Routes } from '../../http/schema.ts'
import type { Services } from '../../services.ts'
import { type Call, callOf, contentOf, converted, formOf } from '../conversion.ts'

const VERSION = 'Apache Tika 3.2 (protocol), Refile'

/** Those that mean something else there. */
const statuses: Partial<Record<RequestErrorCode, number>> = {
  'convert.failed': 422,
  'convert.unsupported_source_format': 415,
}

/** Longest content of an answer in JSON, which is held in memory. */
const JSON_BYTES = 64 * 2 ** 20
/** In how much of a page its title and author stand. */
const HEAD_LENGTH = 10_000

type Kind = 'text' | 'html' | 'none'

export function tikaRoutes(app: Routes, services: Services): void {
  answerIn(app, services.log, ({ code }, detail) => ({
    type: 'text/plain; charset=utf-8',
    body: detail,
    status: statuses[code],
  }))
  const anyone = forRole('anyone', app)
  const program = forRole('program', app)
  anyone.get('/version', { schema: { hide: true } }, async () => VERSION)
  anyone.get('/tika', { schema: { hide: true } }, async () => `This is Tika Server (${VERSION}). Please PUT`)

  const add = (
    path: string,
    answer: (call: Call, file: UploadedFile, reply: FastifyReply) => Promise<unknown>,
  ) => {
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      const call = callOf(request, reply, services)
      if (/^multipart\//i.test(request.headers['content-type'] ?? '')) {
        await using form = await formOf(call)
        if (!form.file) throw new RequestError('request.no_files')
        return await answer(call, form.file, reply)
      }
      await using file = await bodyOf(call)
      return await answer(call, file, reply)
    }
    program.route({ method: ['PUT', 'POST'], url: path, schema: { hide: true }, handler })
  }

  const suffixes = ['', '/form', '/text', '/form/text', '/html', '/form/html']
  for (const suffix of suffixes) {
    const kind = (['text', 'html'] as const).find(each => suffix.endsWith(each))
    add(`/tika${suffix}`, async (call, file, reply) => {
      const accept = call.request.headers.accept ?? ''
      const wanted = kind ?? (/html|xml|json/i.test(accept) ? 'html' : 'text')
      // A path that names the kind answers in JSON there, if the client does not ask for text.
      if (/json/i.test(accept) || (kind && !/text\//i.test(accept))) return described(call, file, wanted)
      const { open } = await parse(call, file, wanted)
      reply.type(wanted === 'html' ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8')
      return open()
    })
    add(`/rmeta${suffix}`, async (call, file) => [await described(call, file, kind ?? 'html')])
  }
  add('/rmeta/ignore', async (call, file) => [await described(call, file, 'none')])
  add('/meta', async (call, file, reply) => {
    const facts = await described(call, file, 'none')
    if (/json/i.test(call.request.headers.accept ?? '')) return facts
    reply.type('text/csv; charset=utf-8')
    return Object.entries(facts)
      .map(([name, value]) => `${cell(name)},${cell(value)}\n`)
      .join('')
  })
  add('/detect/stream', async (_call, file, reply) => {
    reply.type('text/plain')
    return mimeOf(await identify(file.path, file.name))
  })
}

const cell = (value: unknown) => `"${String(value).replaceAll('"', '""')}"`

const mimeOf = (format: FormatKey | undefined) => (format ? formats[format].mime : 'application/octet-stream')

/** A body that is the file, with the name or the type that its headers say. */
function bodyOf({ request, services }: Call): Promise<UploadedFile & AsyncDisposable> {
  const { body, headers } = request
  if (!(body instanceof Readable)) throw new RequestError('request.no_files')
  const { 'content-disposition': disposition = null, 'content-type': type = '' } = headers
  const plain = nameInHeader(disposition) ?? 'document'
  const given = Object.values(formats).find(({ mime }) => mime === type.split(';')[0]?.trim())
  const name = plain.includes('.') || !given ? plain : `${plain}.${given.suffixes[0]}`
  return receiveBody(body, services.incoming, services.config.maxFileBytes, name)
}

/** A file as text or a page, which may be as large as the file and is never held as a whole. */
async function parse(call: Call, file: UploadedFile, kind: Kind) {
  const format = await identify(file.path, file.name)
  const target = kind === 'text' ? 'txt' : 'html'
  const job = format === target ? undefined : await parsed(call, file, format, target)
  return {
    ...{ format, job, bytes: job?.outputBytes ?? file.bytes },
    // Open before the file is deleted, which is once the answer has begun.
    open: async () => (job ? contentOf(call, job) : (await open(file.path)).createReadStream()),
  }
}

/** What Tika's names say of a file, and its content. @throws RequestError request.file_too_large, of what JSON would hold */
async function described(call: Call, file: UploadedFile, kind: Kind): Promise<Record<string, unknown>> {
  const started = Date.now()
  const { format, job, bytes, ...content } = await parse(call, file, kind)
  if (kind !== 'none') checkSize(bytes, JSON_BYTES)
  let text = ''
  for await (const chunk of (await content.open()).setEncoding('utf8')) {
    text += chunk
    if (kind === 'none' && text.length > HEAD_LENGTH) break
  }
  return {
    'Content-Type': mimeOf(format),
    'Content-Length': String(file.bytes),
    resourceName: file.name,
    'X-TIKA:Parsed-By': ['Refile'],
    ...propertiesOf(text, job),
    ...(kind !== 'none' && { 'X-TIKA:content': text }),
    'X-TIKA:content_handler': kind === 'text' ? 'ToTextContentHandler' : 'ToXMLContentHandler',
    'X-TIKA:embedded_depth': '0',
    'X-TIKA:parse_time_millis': String(Date.now() - started),
  }
}

/** Scanned pages are read, as Tika does where Tesseract is. */
function parsed(call: Call, file: UploadedFile, format: FormatKey | undefined, target: string): Promise<Job> {
  const found = format && call.services.catalogue.resolve(format, target)
  if (found?.kind === 'found') {
    const options = 'ocr' in found.edge.converter.options ? { ocr: { enabled: true } } : {}
    return converted(call, file, target, options)
  }
  throw new RequestError(
    'convert.unsupported_source_format',
    message('convert.unsupported_source_format', { source: format ?? file.name }),
  )
}

function propertiesOf(html: string, job: Job | undefined): Record<string, string> {
  const head = html.slice(0, HEAD_LENGTH)
  const title = /<title>([^<]*)<\/title>/i.exec(head)?.[1]
  const author = /<meta name="author" content="([^"]*)"/i.exec(head)?.[1]
  const pages = job?.measure.pages
  return {
    ...(title && { 'dc:title': title }),
    ...(author && { 'dc:creator': author }),
    ...(pages && { 'xmpTPg:NPages': String(pages) }),
  }
}
