/** The protocol of Gotenberg 8: https://gotenberg.dev/docs/getting-started/introduction */
import { Readable } from 'node:stream'
import { RequestError } from '../../../shared/errors.ts'
import { message } from '../../../shared/messages/message.ts'
import { extensionOf } from '../../../shared/names/extension.ts'
import { cleanName } from '../../../shared/names/names.ts'
import type { Job } from '../../../store/interfaces/jobs.ts'
import type { RequestedStep } from '../../../work/intake/prepare.ts'
import type { UploadedFile } from '../../../work/intake/upload.ts'
import { forRole } from '../../http/access.ts'
import { archiveOf } from '../../http/archive.ts'
import { answerIn, attachment } from '../../http/replies.ts'
import type { Routes } from '../../http/schema.ts'
import type { Services } from '../../services.ts'
import {
  type Call,
  callOf,
  contentOf,
  converted,
  formOf,
  given,
  joined,
  nameOf,
  resultFile,
  unknownValue,
} from '../conversion.ts'
import { downloaded } from './download-from.ts'
import {
  convertOffice,
  type Fields,
  flag,
  pdfStep,
  propertiesOf,
  splitOptions,
  stepsOf,
  toolOptions,
} from './fields.ts'
import { marginsOf, wholePage } from './page.ts'
import { deliver, type Sent, webhookOf } from './webhook.ts'

/** The version whose protocol this is. */
const VERSION = '8.34.0'

/** Results, under names without suffixes where they have others than their own. */
type Results = readonly { job: Job; name?: string }[]
/** What is done with the files of a request: it becomes results, or facts by the names of the files. */
type Answer = (call: Call, files: readonly UploadedFile[], fields: Fields) => Promise<Results | Facts>
type Facts = Record<string, object>

export function gotenbergRoutes(app: Routes, services: Services): void {
  answerIn(app, services.log, (_error, detail) => ({ type: 'text/plain; charset=UTF-8', body: detail }))
  const anyone = forRole('anyone', app)
  const program = forRole('program', app)
  anyone.get('/health', { schema: { hide: true } }, async () => ({
    status: 'up',
    details: { chromium: up(), libreoffice: up() },
  }))
  anyone.get('/version', { schema: { hide: true } }, async () => VERSION)

  const stopping = new AbortController()
  const delivering = new Set<Promise<void>>()
  app.addHook('onClose', async () => {
    stopping.abort()
    await Promise.all(delivering)
  })
  const add = (path: string, answer: Answer) =>
    program.post(`/forms${path}`, { schema: { hide: true } }, async (request, reply) => {
      const call = callOf(request, reply, services)
      const webhook = webhookOf(call)
      const trace = String(request.headers['gotenberg-trace'] ?? request.id)
      reply.header('gotenberg-trace', trace)
      await using received = new AsyncDisposableStack()
      const { files: sent, fields } = received.use(await formOf(call))
      const files = [...sent, ...(await downloaded(call, fields, received))]
      if (files.length === 0) throw new RequestError('request.no_files')
      if (!webhook) {
        const { type, name, open } = sentOf(call, await answer(call, files, fields))
        return reply
          .type(type)
          .header('content-disposition', attachment(name))
          .send(await open())
      }
      const later = { ...call, signal: stopping.signal }
      const delivery = (async () => {
        await using _held = received.move()
        await deliver(later, webhook, trace, async () => sentOf(later, await answer(later, files, fields)))
      })().finally(() => delivering.delete(delivery))
      delivering.add(delivery)
      return reply.code(204).send()
    })

  add('/libreoffice/convert', async (call, files, fields) => {
    const steps = stepsOf(fields)
    const isOne = flag(fields, 'merge') ?? false
    const pdfs = await each(files, async file => ({
      job: await convertOffice(call, file, fields, isOne ? [] : steps),
      name: file.name,
    }))
    return splitIf(call, isOne ? await merged(call, pdfs, steps) : pdfs, fields)
  })
  for (const kind of ['html', 'markdown'])
    add(`/chromium/convert/${kind}`, async (call, files, fields) => {
      await using page = await wholePage(call, files, fields)
      const pages = fields.get('nativePageRanges')
      const steps = stepsOf(fields, await marginsOf(call, files))
      const job = await converted(call, page, 'pdf', given({ pages }), steps)
      return splitIf(call, [{ job, name: 'index' }], fields)
    })
  add('/chromium/convert/url', async () => {
    throw new RequestError('request.invalid_parameter', message('gate.no_addresses'))
  })
  add('/pdfengines/merge', async (call, files, fields) => {
    const ordered = files.toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
    return splitIf(call, [{ job: await joined(call, ordered, {}, stepsOf(fields)) }], fields)
  })
  const tool = (
    path: string,
    stepOf: (fields: Fields, call: Call, file: UploadedFile) => Promise<RequestedStep> | RequestedStep,
  ) =>
    add(`/pdfengines/${path}`, (call, files, fields) =>
      each(files, async file => {
        const { targetFormat, options } = await stepOf(fields, call, file)
        return { job: await converted(call, file, targetFormat, options) }
      }),
    )
  tool('split', async (fields, call, file) => pdfStep(await splitOptions(fields, call, file)))
  tool('flatten', () => pdfStep({ flatten: true }))
  /** Each of them, and the fields of which it needs one: without it, the PDF would come back as it was. */
  const needed = {
    encrypt: ['userPassword'],
    'metadata/write': ['metadata'],
    rotate: ['rotateAngle', 'angle'],
  }
  for (const [path, names] of Object.entries(needed))
    tool(path, fields => {
      if (!names.some(name => fields.get(name))) throw unknownValue(names[0] ?? '', '')
      return pdfStep(toolOptions(fields))
    })
  add('/pdfengines/metadata/read', async (call, files) => {
    const read = await each(files, async file => [file.name, await propertiesOf(call, file)] as const)
    return Object.fromEntries(read)
  })
  add('/pdfengines/convert', (call, files, fields) => {
    const [first, ...further] = stepsOf(fields)
    if (!first) throw unknownValue('pdfa', '')
    return each(files, async file => ({
      job: await converted(call, file, first.targetFormat, first.options, further),
    }))
  })
}

const up = () => ({ status: 'up', timestamp: new Date().toISOString() })

/** One after another: a request has no more than its share of the queue. */
async function each<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>) {
  const results: Result[] = []
  for (const item of items) results.push(await work(item))
  return results
}

/** Results as one PDF. */
async function merged(call: Call, results: Results, steps: readonly RequestedStep[]): Promise<Results> {
  await using files = new AsyncDisposableStack()
  const parts = await each(results, async ({ job }) => files.use(await resultFile(call, job)))
  return [{ job: await joined(call, parts, { bookmarks: false }, steps) }]
}

/** Results in the parts that are asked for, if any are. */
const splitIf = async (call: Call, results: Results, fields: Fields): Promise<Results> =>
  fields.get('splitMode')
    ? each(results, async ({ job }) => {
        await using pdf = await resultFile(call, job)
        return {
          job: await converted(call, pdf, 'pdf', pdfStep(await splitOptions(fields, call, pdf)).options),
        }
      })
    : results

/** One file as itself, several as a ZIP, under the name that the client wishes; facts as JSON. */
function sentOf(call: Call, made: Results | Facts): Sent {
  const given = String(call.request.headers['gotenberg-output-filename'] ?? '')
  const wanted = given && cleanName(given.replace(/^.*[\\/]/, ''))
  if (!Array.isArray(made)) {
    const text = Buffer.from(JSON.stringify(made))
    return {
      ...{ type: 'application/json', name: `${wanted || 'result'}.json`, bytes: text.length },
      open: async () => Readable.from([text]),
    }
  }
  const results: Results = made
  const [first] = results
  if (first && results.length === 1) {
    const { job } = first
    return {
      type: job.output?.contentType ?? 'application/pdf',
      name: wanted ? `${wanted}.${extensionOf(nameOf(job))}` : nameOf(job),
      bytes: job.outputBytes,
      open: () => contentOf(call, job),
    }
  }
  const members = results.map(({ job, name }) => ({
    name: name === undefined ? nameOf(job) : `${name}.pdf`,
    open: () => contentOf(call, job),
  }))
  return {
    ...{ type: 'application/zip', name: `${wanted || 'result'}.zip`, bytes: undefined },
    open: async () => archiveOf(members),
  }
}
