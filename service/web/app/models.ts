import { ModelError } from '../../convert/models/download.ts'
import type { SpeechModel } from '../../convert/models/list.ts'
import type { Model, Pack } from '../../convert/models/model.ts'
import type { ModelState, Models } from '../../convert/models/models.ts'
import { RequestError } from '../../shared/errors.ts'
import { languageName } from '../../shared/messages/language-name.ts'
import { currentLanguage } from '../../shared/messages/languages.ts'
import { message } from '../../shared/messages/message.ts'
import { render } from '../../shared/messages/render.ts'
import { receiveUpload } from '../../work/intake/upload.ts'
import { forRole } from '../http/access.ts'
import type { Routes } from '../http/schema.ts'
import { ById } from '../http/shapes.ts'
import type { Services } from '../services.ts'
import type { Downloadable, DownloadList, Pack as ShownLanguage, SpeechModel as ShownModel } from './types.ts'

/** Speech models and language packs: listing, downloading, importing and deleting them. */
export function modelRoutes(app: Routes, services: Services): void {
  routesOf(app, services, '/app/models', services.models.speech, speechModel)
  routesOf(app, services, '/app/packs', services.models.packs, shownPack)
}

function routesOf<M extends Model, Shown extends Downloadable>(
  app: Routes,
  { config, incoming }: Services,
  path: string,
  models: Models<M>,
  shown: (state: ModelState<M>) => Shown,
): void {
  const member = forRole('member', app)
  const owner = forRole('owner', app)
  const known = async (id: string): Promise<ModelState<M>> => {
    const state = await models.get(id)
    if (!state) throw new RequestError('request.not_found', message('models.not_found'))
    return state
  }

  member.get(
    path,
    async (): Promise<DownloadList<Shown>> => ({
      offline: config.offline,
      items: (await models.list()).map(shown),
    }),
  )

  owner.post(`${path}/:id/download`, { schema: { params: ById } }, async (request, reply) => {
    const { model } = await known(request.params.id)
    const state = await models.start(model.id)
    return reply.code(202).send(state && shown(state))
  })

  owner.post(`${path}/:id/cancel`, { schema: { params: ById } }, async request => {
    const { model } = await known(request.params.id)
    await models.cancel(model.id)
  })

  owner.delete(`${path}/:id`, { schema: { params: ById } }, async request => {
    const state = await known(request.params.id)
    if (state.state === 'installed' && !state.own) {
      throw new RequestError(
        'request.invalid_parameter',
        message('models.not_ours', { name: shown(state).name }),
      )
    }
    await models.remove(state.model.id)
  })

  owner.post(path, async (request, reply) => {
    const upload = await receiveUpload(request.raw, incoming, Math.min(models.mostBytes, config.maxFileBytes))
    try {
      if (!upload.file) {
        throw new RequestError('request.no_files', message('request.no_model'))
      }
      return reply.code(201).send(shown(await models.add(upload.file.path)))
    } catch (error) {
      if (error instanceof ModelError) throw new RequestError('request.invalid_parameter', error.reason)
      throw error
    } finally {
      await upload.discard()
    }
  })
}

const downloadable = ({ model, state, received, total, problem, own }: ModelState<Model>): Downloadable => ({
  id: model.id,
  name: model.name,
  licence: model.licence,
  bytes: total ?? model.bytes,
  state,
  received,
  problem: problem && render(problem),
  removable: own,
})

export const speechModel = (state: ModelState<SpeechModel>): ShownModel => ({
  ...downloadable(state),
  englishOnly: state.model.englishOnly,
  recommended: [...state.model.recommended],
})

/** A language pack; a language has its name in the current one. */
export function shownPack(state: ModelState<Pack>): ShownLanguage {
  const { name, tag } = state.model
  return { ...downloadable(state), name: tag ? languageName(tag, currentLanguage()) : name }
}
