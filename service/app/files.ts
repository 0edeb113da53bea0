import { RequestError } from '../errors.ts'
import type { Routes } from '../http/schema.ts'
import { ById } from '../http/shapes.ts'
import { examine } from '../intake/examine.ts'
import { receiveUpload } from '../intake/upload.ts'
import type { Services } from '../services.ts'
import { stagedFile } from './views.ts'

/** Dropped files: taken in, recognised, measured and priced before anything is decided. */
export function fileRoutes(app: Routes, services: Services): void {
  app.post('/app/files', async (request, reply) => {
    const upload = await receiveUpload(request.raw, services.incoming, services.config.maxFileBytes)
    try {
      if (!upload.file) throw new RequestError('request.no_files')
      const found = await examine(services, upload.file)
      const file = await services.files.add(request.caller.accountId, upload.file, found)
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
