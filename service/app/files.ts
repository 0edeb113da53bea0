import type { FormatKey } from '../catalogue/formats.ts'
import type { Measure } from '../catalogue/task.ts'
import { RequestError } from '../errors.ts'
import type { Routes } from '../http/schema.ts'
import { ById } from '../http/shapes.ts'
import { identify } from '../intake/identify.ts'
import { measureFile } from '../intake/prepare.ts'
import { receiveUpload, type UploadedFile } from '../intake/upload.ts'
import { message } from '../messages/message.ts'
import type { Services } from '../services.ts'
import { stagedFile } from './views.ts'

/** Dropped files: taken in, recognised, measured and priced before anything is decided. */
export function fileRoutes(app: Routes, services: Services): void {
  app.post('/app/files', async (request, reply) => {
    const upload = await receiveUpload(request.raw, services.incoming, services.config.maxFileBytes)
    try {
      if (!upload.file) throw new RequestError('request.no_files')
      const format = await identify(upload.file.path, upload.file.name)
      const { measure, problem } = format
        ? await measureAll(services, upload.file, format)
        : { measure: {}, problem: null }
      const file = await services.files.add(request.caller.accountId, upload.file, {
        format: format ?? null,
        measure,
        problem: problem === null ? null : message('stored.text', { text: problem }),
      })
      return reply.code(201).send(stagedFile(file, services.catalogue))
    } finally {
      await upload.discard()
    }
  })

  app.delete('/app/files/:id', { schema: { params: ById } }, async (request, reply) => {
    await services.files.remove(request.params.id, request.caller.accountId)
    return reply.code(204).send()
  })
}

/** Pages and minutes for every price the file's targets may have; each kind is measured once. */
async function measureAll(services: Services, file: UploadedFile, format: FormatKey) {
  const edges = services.catalogue.edgesFrom(format)
  let measure: Measure = {}
  let problem: string | null = null
  for (const strategy of ['PerPage', 'PerMinute'] as const) {
    const edge = edges.find(({ converter }) => converter.costing.strategy === strategy && converter.measure)
    if (!edge) continue
    const measured = await measureFile({ pool: services.pool }, edge, file, format)
    measure = { ...measure, ...measured.measure }
    problem ??= measured.problem
  }
  return { measure, problem }
}
