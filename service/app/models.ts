import { RequestError } from '../errors.ts'
import type { Routes } from '../http/schema.ts'
import { ById } from '../http/shapes.ts'
import { receiveUpload } from '../intake/upload.ts'
import { message } from '../messages/message.ts'
import { render } from '../messages/render.ts'
import { ModelError } from '../models/download.ts'
import { mostBytes, speechModels } from '../models/list.ts'
import type { ModelState } from '../models/models.ts'
import type { Services } from '../services.ts'
import type { SpeechModel, SpeechModels } from './types.ts'

/** Largest file that can be a model. */
const LARGEST_MODEL_BYTES = Math.max(...speechModels.map(mostBytes))

/** The speech models: what is there, and downloading, importing and deleting them. */
export function modelRoutes(app: Routes, { models, config, incoming }: Services): void {
  const known = async (id: string): Promise<ModelState> => {
    const state = await models.get(id)
    if (!state) throw new RequestError('request.not_found', message('models.not_found'))
    return state
  }

  app.get(
    '/app/models',
    async (): Promise<SpeechModels> => ({
      offline: config.offline,
      items: (await models.list()).map(speechModel),
    }),
  )

  app.post('/app/models/:id/download', { schema: { params: ById } }, async (request, reply) => {
    const { model } = await known(request.params.id)
    const state = await models.start(model.id)
    return reply.code(202).send(state && speechModel(state))
  })

  app.post('/app/models/:id/cancel', { schema: { params: ById } }, async (request, reply) => {
    const { model } = await known(request.params.id)
    await models.cancel(model.id)
    return reply.code(204).send()
  })

  app.delete('/app/models/:id', { schema: { params: ById } }, async (request, reply) => {
    const { model, state, own } = await known(request.params.id)
    if (state === 'installed' && !own) {
      throw new RequestError('request.invalid_parameter', message('models.not_ours', { name: model.name }))
    }
    await models.remove(model.id)
    return reply.code(204).send()
  })

  app.post('/app/models', async (request, reply) => {
    const upload = await receiveUpload(
      request.raw,
      incoming,
      Math.min(LARGEST_MODEL_BYTES, config.maxFileBytes),
    )
    try {
      if (!upload.file) {
        throw new RequestError('request.no_files', message('request.no_model'))
      }
      return reply.code(201).send(speechModel(await models.add(upload.file.path)))
    } catch (error) {
      if (error instanceof ModelError) throw new RequestError('request.invalid_parameter', error.reason)
      throw error
    } finally {
      await upload.discard()
    }
  })
}

export const speechModel = ({ model, state, received, total, problem, own }: ModelState): SpeechModel => ({
  id: model.id,
  name: model.name,
  licence: model.licence,
  bytes: total ?? model.mebibytes * 2 ** 20,
  englishOnly: model.englishOnly,
  recommended: [...model.recommended],
  state,
  received,
  problem: problem && render(problem),
  removable: own,
})
