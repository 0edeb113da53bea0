import { Ajv2020 } from 'ajv/dist/2020.js'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { appRoutes } from '../app/routes.ts'
import { RequestError } from '../errors.ts'
import type { Services } from '../services.ts'
import { authenticate } from './caller.ts'
import { catalogueRoutes } from './catalogue.ts'
import { convertRoutes } from './convert.ts'
import { entitlementRoutes } from './entitlements.ts'
import { estimateRoutes } from './estimate.ts'
import { guardOrigin, rateLimiting } from './guard.ts'
import { healthRoutes } from './health.ts'
import { jobRoutes } from './jobs.ts'
import { describeApi } from './openapi.ts'
import { answerErrors } from './replies.ts'
import { schemaRoutes } from './schema.ts'

/** Most bytes of a JSON body. */
const JSON_LIMIT = 2 ** 20

/** Every route of the contract, relative to where it is mounted. */
function contractRoutes(app: FastifyInstance, services: Services): void {
  convertRoutes(app, services)
  jobRoutes(app, services)
  catalogueRoutes(app, services)
  estimateRoutes(app, services)
  schemaRoutes(app, services)
  entitlementRoutes(app, services)
}

/** Builds the HTTP server, not yet listening. `listening` tells the address once it does. */
export async function buildServer(
  services: Services,
  listening: () => { host: string; port: number },
  rendererFolder: string | undefined,
): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: services.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: JSON_LIMIT,
    forceCloseConnections: true,
    // Uploads may take as long as they take; a sender that is silent is another matter.
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
  await describeApi(app, services.url)
  healthRoutes(app, services)
  const limit = rateLimiting(services.config.rateLimit)
  await app.register(async scope => {
    scope.addHook('onRequest', limit)
    scope.addHook('onRequest', authenticate(services))
    contractRoutes(scope, services)
  })
  await app.register(async scope => appRoutes(scope, services, rendererFolder))
  return app
}

/** JSON is parsed; anything else is left to the route, as a stream nobody has touched. */
function parseBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    if (text === '') return done(null, undefined)
    try {
      done(null, JSON.parse(text as string))
    } catch {
      done(new RequestError('request.invalid_content_type', 'The body is not valid JSON.'), undefined)
    }
  })
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
}
