import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { FastifyReply } from 'fastify'
import { formats, mimeOfName } from '../../convert/catalogue/formats.ts'
import { type PreviewContent, THUMBNAIL_EDGES } from '../../convert/catalogue/preview.ts'
import { RequestError } from '../../shared/errors.ts'
import { message } from '../../shared/messages/message.ts'
import { render } from '../../shared/messages/render.ts'
import { sourceOf } from '../../work/intake/identify.ts'
import { findEdge, optionsFor } from '../../work/intake/prepare.ts'
import type { Cached } from '../../work/preview/cache.ts'
import type { Compared } from '../../work/preview/previews.ts'
import { findViewed, type Viewed } from '../../work/preview/viewed.ts'
import { forRole } from '../http/access.ts'
import { disconnectSignal } from '../http/disconnect.ts'
import { sendInRanges } from '../http/ranges.ts'
import { integer, object, optional, type Routes, string } from '../http/schema.ts'
import type { Services } from '../services.ts'
import { NewPreview, type Preview, ViewedFile } from './types.ts'

/** How long a request waits for a thumbnail: browsers have few connections, and conversions have priority. */
const TIMEOUT_MS = 3000
/** When to ask again, in seconds. */
const RETRY_SECONDS = 2

/** Previews of files and conversions. Nothing here creates a job or costs anything. */
export function previewRoutes(app: Routes, services: Services): void {
  const member = forRole('member', app)
  const { previews, files, jobs, stores, catalogue, config } = services
  const places = { files, jobs, blobs: stores.blobs }

  member.get(
    '/app/preview/thumbnail/:kind/:id',
    { schema: { params: ViewedFile, querystring: object({ edge: optional(integer()) }) } },
    async (request, reply) => {
      const { accountId } = request.caller
      const { edge = THUMBNAIL_EDGES[0] } = request.query
      if (!THUMBNAIL_EDGES.some(known => known === edge)) throw new RequestError('request.not_found')
      const file = await findViewed(places, request.params, accountId)
      const signal = AbortSignal.any([disconnectSignal(reply), AbortSignal.timeout(TIMEOUT_MS)])
      const made = await previews.thumbnail(file, accountId, signal)
      if (!made) return reply.code(202).header('retry-after', String(RETRY_SECONDS)).send()
      const path = previews.pathOf(made.id, `${edge}.webp`, accountId)
      if (!path) return reply.code(204).send()
      return sendFile(path, undefined, reply)
    },
  )

  member.post('/app/preview', { schema: { body: NewPreview } }, async (request, reply) => {
    const { accountId } = request.caller
    const { file: wanted, targetFormat, options = {}, isDraft = false } = request.body
    const signal = disconnectSignal(reply)
    const file = await findViewed(places, wanted, accountId)
    if (targetFormat === undefined) return preview(await previews.show(file, null, accountId, signal), file)
    const { source } = sourceOf(catalogue, { name: file.name, format: file.format ?? undefined }, undefined)
    const edge = findEdge(catalogue, source, targetFormat)
    const validated = optionsFor(edge, options, config)
    return preview(await previews.convert(file, edge, validated, isDraft, accountId, signal), file)
  })

  member.post(
    '/app/preview/compare',
    { schema: { body: object({ jobId: string() }) } },
    async (request, reply) => {
      const { accountId } = request.caller
      const { jobId: id } = request.body
      const input = await findViewed(places, { kind: 'input', id }, accountId)
      const output = await findViewed(places, { kind: 'output', id }, accountId)
      return preview(await previews.show(input, output, accountId, disconnectSignal(reply)), input)
    },
  )

  member.get('/app/preview/media/:kind/:id', { schema: { params: ViewedFile } }, async (request, reply) => {
    const file = await findViewed(places, request.params, request.caller.accountId)
    return sendMedia(file, request.headers.range, reply)
  })

  member.get(
    '/app/preview/files/:id/:name',
    { schema: { params: object({ id: string(), name: string() }) } },
    async (request, reply) => {
      const { id, name } = request.params
      const path = previews.pathOf(id, name, request.caller.accountId)
      if (!path) throw new RequestError('request.not_found', message('preview.gone'))
      return sendFile(path, request.headers.range, reply)
    },
  )
}

/** A name always refers to the same bytes, and only this browser may cache them. */
async function sendFile(path: string, range: string | undefined, reply: FastifyReply): Promise<FastifyReply> {
  // It may have been dropped from the cache meanwhile.
  const found = await stat(path).catch(() => undefined)
  if (!found) throw new RequestError('request.not_found', message('preview.gone'))
  reply.header('cache-control', 'private, max-age=3600')
  const open = async (part = {}) => createReadStream(path, part)
  return sendInRanges({ bytes: found.size, type: mimeOfName(path), open }, range, reply)
}

/** Types that are sent unchanged: players need them, and browsers execute none of them. */
const PLAYED = /^(audio|video)\//

/** Sends a media file: if it is stored elsewhere, only the requested range is fetched. */
async function sendMedia(
  { format, bytes, open }: Viewed,
  range: string | undefined,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const type = format ? formats[format].mime : ''
  if (!PLAYED.test(type)) throw new RequestError('request.not_found')
  return sendInRanges({ bytes, type, open }, range, reply)
}

function preview({ id, facts }: Cached<Compared>, { bytes: inputBytes }: Viewed): Preview {
  const { warnings, problem, before, after, ...figures } = facts
  const addressed = (look: PreviewContent | null): PreviewContent | null =>
    look && 'file' in look ? { ...look, file: `/app/preview/files/${id}/${look.file}` } : look
  return {
    ...figures,
    before: addressed(before),
    after: addressed(after),
    inputBytes,
    warnings: warnings.map(warning => render(warning)),
    problem: problem && { code: problem.code, detail: render(problem.reason) },
  }
}
