/** The protocol of Gotenberg 8: https://gotenberg.dev/docs/getting-started/introduction */
import type { FastifyReply } from 'fastify'
import { RequestError } from '../../../shared/errors.ts'
import { message } from '../../../shared/messages/message.ts'
import { cleanName, extensionOf } from '../../../shared/names/names.ts'
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
  joined,
  nameOf,
  resultFile,
  unknownValue,
} from '../conversion.ts'
import {
  convertOffice,
  type Fields,
  isMerged,
  pdfStep,
  splitOptions,
  stepsOf,
  toolOptions,
} from './fields.ts'
import { wholePage } from './page.ts'

/** The version whose protocol this is. */
const VERSION = '8.34.0'

/** What a request is answered with: results, under names without suffixes where they have others than their own. */
type Results = readonly { job: Job; name?: string }[]
type Answer = (call: Call, files: readonly UploadedFile[], fields: Fields) => Promise<Results>

export function gotenbergRoutes(app: Routes, services: Services): void {
  answerIn(app, services.log, (_error, detail) => ({ type: 'text/plain; charset=UTF-8', body: detail }))
  const anyone = forRole('anyone', app)
  const program = forRole('program', app)
  anyone.get('/health', { schema: { hide: true } }, async () => ({
    status: 'up',
    details: { chromium: up(), libreoffice: up() },
  }))
  anyone.get('/version', { schema: { hide: true } }, async () => VERSION)

  const add = (path: string, answer: Answer) =>
    program.post(`/forms${path}`, { schema: { hide: true } }, async (request, reply) => {
      if (request.headers['gotenberg-webhook-url'] !== undefined)
        throw new RequestError('request.invalid_parameter', message('gate.no_webhooks'))
      const call = callOf(request, reply, services)
      await using form = await formOf(call)
      if (form.files.length === 0) throw new RequestError('request.no_files')
      return send(call, reply, await answer(call, form.files, form.fields))
    })

  add('/libreoffice/convert', async (call, files, fields) => {
    const steps = stepsOf(fields)
    const isOne = isMerged(fields)
    const pdfs = await each(files, async file => ({
      job: await convertOffice(call, file, fields, isOne ? [] : steps),
      name: file.name,
    }))
    return isOne ? merged(call, pdfs, steps) : pdfs
  })
  for (const kind of ['html', 'markdown'])
    add(`/chromium/convert/${kind}`, async (call, files, fields) => {
      await using page = await wholePage(call, files, fields)
      return [{ job: await converted(call, page, 'pdf', {}, stepsOf(fields)), name: 'index' }]
    })
  add('/chromium/convert/url', async () => {
    throw new RequestError('request.invalid_parameter', message('gate.no_addresses'))
  })
  add('/pdfengines/merge', async (call, files, fields) => {
    const ordered = files.toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
    return [{ job: await joined(call, ordered, {}, stepsOf(fields)) }]
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
  add('/pdfengines/convert', (call, files, fields) => {
    const [first = pdfStep(), ...further] = stepsOf(fields)
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

/** One file as itself, several as a ZIP, under the name that the client wishes. */
async function send(call: Call, reply: FastifyReply, results: Results) {
  const given = String(call.request.headers['gotenberg-output-filename'] ?? '')
  const wanted = given && cleanName(given.replace(/^.*[\\/]/, ''))
  const trace = call.request.headers['gotenberg-trace'] ?? call.request.id
  reply.header('gotenberg-trace', trace)
  const [first] = results
  if (first && results.length === 1) {
    const { output } = first.job
    const suffix = extensionOf(nameOf(first.job))
    return reply
      .type(output?.contentType ?? 'application/pdf')
      .header('content-disposition', attachment(wanted ? `${wanted}.${suffix}` : nameOf(first.job)))
      .send(await contentOf(call, first.job))
  }
  const members = results.map(({ job, name }) => ({
    name: name === undefined ? nameOf(job) : `${name}.pdf`,
    open: () => contentOf(call, job),
  }))
  return reply
    .type('application/zip')
    .header('content-disposition', attachment(`${wanted || 'result'}.zip`))
    .send(archiveOf(members))
}
