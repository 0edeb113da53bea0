import { Readable } from 'node:stream'
import { minutesOf } from '../../convert/catalogue/bundle.ts'
import { RequestError } from '../../shared/errors.ts'
import { fileBlobs } from '../../store/interfaces/keys.ts'
import { openSource } from '../../store/interfaces/source.ts'
import { examine } from '../../work/intake/examine.ts'
import { bundleOf, joinedFile } from '../../work/intake/joined.ts'
import { receive, type Source } from '../../work/intake/source.ts'
import { fileGone } from '../../work/intake/staged.ts'
import { forRole, ownersIf } from '../http/access.ts'
import { jsonOrStream, type Routes } from '../http/schema.ts'
import type { Services } from '../services.ts'
import { Chosen, FileIds, Ids, LocalFile, type StagedFile } from './types.ts'
import { stagedFile, stagedFiles } from './views.ts'

/** Dropped files: received, recognised, measured and priced before a target is chosen. */
export function fileRoutes(app: Routes, services: Services): void {
  const member = forRole('member', app)
  const { files, stores } = services
  const { events, settings } = stores

  // Other windows show what one of them has changed.
  app.addHook('onResponse', async ({ caller, headers, method, url }, { statusCode }) => {
    const window = String(headers['x-service-window'] ?? '')
    if (statusCode < 300 && method !== 'GET' && !url.endsWith('/find'))
      events.publish({ type: 'waiting', accountId: caller.accountId, window })
  })

  member.post(
    '/app/files',
    {
      schema: { body: jsonOrStream(LocalFile) },
      ...ownersIf(body => body !== undefined && !(body instanceof Readable)),
    },
    async ({ body, caller }, reply) => {
      const { accountId } = caller
      if (body === undefined) throw new RequestError('request.no_files')
      const source: Source =
        body instanceof Readable ? { kind: 'upload', request: body } : { kind: 'path', ...body }
      await using received = await receive(source, services)
      const { file, relativePath, originalPath, modifiedAt, fields } = received
      if (!file) throw new RequestError('request.no_files')
      const known = {
        ...(await examine(services, file, { accountId })),
        relativePath,
        originalPath,
        modifiedAt,
        addedAt: addedAtOf(source.kind === 'path' ? source.addedAt : fields.get('addedAt')),
      }
      const staged = await (source.kind === 'path'
        ? files.addLocal(accountId, file, known)
        : files.add(accountId, file, known))
      return reply.code(201).send(stagedFile(staged, services))
    },
  )

  member.get('/app/files', async ({ caller }) =>
    stagedFiles(await stores.files.unsubmitted(caller.accountId), services),
  )

  member.get('/app/files/choices', async ({ caller: { accountId } }): Promise<Chosen> => {
    const [choices, following] = await Promise.all([
      stores.files.choices(accountId),
      settings.get(accountId, 'following'),
    ])
    return { choices: Object.fromEntries(choices), following: (following as string | undefined) ?? null }
  })

  member.patch('/app/files/choices', { schema: { body: Chosen } }, async ({ caller, body }) => {
    await stores.files.choose(new Map(Object.entries(body.choices)), caller.accountId)
    await settings.put(caller.accountId, 'following', body.following)
  })

  member.post('/app/files/find', { schema: { body: FileIds } }, async ({ caller, body }) =>
    stagedFiles(await stores.files.getMany(body.ids, caller.accountId), services),
  )

  member.post(
    '/app/files/join',
    { schema: { body: Ids } },
    async ({ caller: { accountId }, body }, reply) => {
      const found = await stores.files.use(body.ids, accountId)
      if (found.length < body.ids.length) throw fileGone()
      const parts = found.map(({ id, name, bytes, format, source, measure: { minutes } }) => ({
        ...{ name, bytes, format, minutes },
        open: () => openSource(services.stores.blobs, source, fileBlobs.content(id)),
      }))
      const bundle = bundleOf(services.catalogue, parts)
      await using joined = await joinedFile(services, bundle, parts)
      const { originalPath = null } = found[0] ?? {}
      const staged = await files.add(accountId, joined, {
        format: bundle,
        measure: bundle !== 'files' ? { minutes: minutesOf(parts) } : {},
        problem: null,
        originalPath,
      })
      return reply.code(201).send(stagedFile(staged, services))
    },
  )

  member.post('/app/files/repeat', { schema: { body: FileIds } }, async ({ caller, body }, reply) => {
    const found = await stores.files.use(body.ids, caller.accountId)
    if (found.length < body.ids.length) throw fileGone()
    const repeated: StagedFile[] = []
    for (const file of found) repeated.push(stagedFile(await files.repeat(file), services))
    return reply.code(201).send(repeated)
  })

  member.post('/app/files/remove', { schema: { body: Ids } }, async ({ caller, body }) => {
    await services.previews.evict(await files.remove(body.ids, caller.accountId))
  })
}

/** When a file was added according to the page; undefined, for the service's own time, if that is invalid. */
function addedAtOf(value: number | string | undefined): number | undefined {
  const time = Number(value)
  return Number.isFinite(time) && time > 0 ? time : undefined
}
