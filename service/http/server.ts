import { Ajv2020 } from 'ajv/dist/2020.js'
import fastify, { type FastifyBaseLogger, LogController } from 'fastify'
import { apiRoutes } from '../api/routes.ts'
import { appRoutes } from '../app/routes.ts'
import { RequestError } from '../errors.ts'
import { message } from '../messages/message.ts'
import type { Services } from '../services.ts'
import { guardOrigin, rateLimiting } from './guard.ts'
import { answerErrors } from './replies.ts'
import type { Routes } from './schema.ts'

/** Largest JSON body. */
const JSON_LIMIT_BYTES = 2 ** 20

/** Builds the HTTP server, not yet listening. `listening` tells the address once it does. */
export async function buildServer(
  services: Services,
  listening: () => { host: string; port: number },
  rendererFolder: string | undefined,
): Promise<Routes> {
  const app: Routes = fastify({
    loggerInstance: services.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: JSON_LIMIT_BYTES,
    forceCloseConnections: true,
    // A limit for the whole request would cut off long uploads.
    requestTimeout: 0,
    routerOptions: { maxParamLength: 200 },
    http: { highWaterMark: 2 ** 20 },
    // The contract's presigned links begin with /api, so that everything answers there as well.
    rewriteUrl: ({ url = '/' }) => (url.startsWith('/api/convert') ? url.slice('/api'.length) : url),
  })
  const ajv = new Ajv2020({ coerceTypes: true, strict: false })
  app.setValidatorCompiler(({ schema }) => ajv.compile(schema as object))
  guardOrigin(app, listening)
  answerErrors(app, services.log)
  parseBodies(app)
  app.decorateRequest('caller')
  await app.register(async scope => apiRoutes(scope, services, rateLimiting(services.config.rateLimit)))
  await app.register(async scope => appRoutes(scope, services, rendererFolder))
  return app
}

/** JSON is parsed; anything else is left to the route, as a stream of which nothing has been read. */
function parseBodies(app: Routes): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    if (text === '') return done(null, undefined)
    try {
      done(null, JSON.parse(text as string))
    } catch {
      done(new RequestError('request.invalid_content_type', message('request.not_json')), undefined)
    }
  })
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
}
