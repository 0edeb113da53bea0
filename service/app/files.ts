import { IncomingMessage } from 'node:http'
import { RequestError } from '../errors.ts'
import { jsonOrStream, type Routes } from '../http/schema.ts'
import { ById } from '../http/shapes.ts'
import { examine } from '../intake/examine.ts'
import { localFile, relativePathOf } from '../intake/local.ts'
import { receiveUpload } from '../intake/upload.ts'
import type { Services } from '../services.ts'
import type { FileRecord } from '../stores/files.ts'
import { LocalFile } from './types.ts'
import { stagedFile } from './views.ts'

/** Dropped files: taken in, recognised, measured and priced before anything is decided. */
export function fileRoutes(app: Routes, services: Services): void {
  const { files, catalogue } = services

  app.post('/app/files', { schema: { body: jsonOrStream(LocalFile) } }, async ({ body, caller }, reply) => {
    const { accountId } = caller
    const file =
      body instanceof IncomingMessage
        ? await stageUpload(services, accountId, body)
        : await stageLocal(services, accountId, body)
    return reply.code(201).send(stagedFile(file, catalogue))
  })

  app.get('/app/files', async ({ caller }) =>
    (await files.unsubmitted(caller.accountId)).map(file => stagedFile(file, catalogue)),
  )

  app.delete('/app/files/:id', { schema: { params: ById } }, async (request, reply) => {
    await files.remove(request.params.id, request.caller.accountId)
    return reply.code(204).send()
  })
}

async function stageUpload(
  services: Services,
  accountId: string,
  body: IncomingMessage,
): Promise<FileRecord> {
  const upload = await receiveUpload(body, services.incoming, services.config.maxFileBytes)
  try {
    const { file, fields } = upload
    if (!file) throw new RequestError('request.no_files')
    const relativePath = relativePathOf(fields.get('path'), file.name)
    return await services.files.add(accountId, file, { ...(await examine(services, file)), relativePath })
  } finally {
    await upload.discard()
  }
}

/** A file of this machine is read where it is; its bytes do not pass through HTTP. */
async function stageLocal(
  services: Services,
  accountId: string,
  { path, relativePath }: LocalFile,
): Promise<FileRecord> {
  const file = await localFile(path, services.config.maxFileBytes)
  return services.files.addLocal(accountId, file, {
    ...(await examine(services, file)),
    relativePath: relativePathOf(relativePath, file.name),
  })
}
