import type { IncomingHttpHeaders } from 'node:http'
import fastify, { type FastifyBaseLogger, LogController } from 'fastify'
import { RequestError } from '../../shared/errors.ts'
import { message } from '../../shared/messages/message.ts'
import { apiRoutes } from '../api/routes.ts'
import { appRoutes } from '../app/routes.ts'
import { gatePrefixes, gateRoutes } from '../gate/routes.ts'
import type { Services } from '../services.ts'
import { controlAccess } from './access.ts'
import { sessionCaller } from './caller.ts'
import { guardOrigin } from './guard.ts'
import type { Listening } from './hosts.ts'
import { speakLanguages } from './language.ts'
import { answerMalformed, answerUnusual } from './malformed.ts'
import { rateLimiting } from './rate-limit.ts'
import { answerErrors, JSON_LIMIT_BYTES } from './replies.ts'
import type { Routes } from './schema.ts'
import { serializerCompiler } from './serializer.ts'
import { limitSilence } from './silence.ts'
import { validatorCompiler } from './validator.ts'

/**
 * Largest size of a request's line and headers. Larger ones reach no route, so no path segment can be too long for a route.
 */
const HEADERS_LIMIT_BYTES = 2 ** 14
/** How much of a body is buffered between the socket and its reader or writer; twice Node's default. */
const BUFFER_BYTES = 2 ** 17
/** How often connections are checked within the time they may be silent. */
const CHECKS_PER_TIMEOUT = 12

/** Builds the HTTP server without starting to listen. `listening` returns the address once it does. */
export async function buildServer(
  services: Services,
  listening: () => Listening,
  rendererFolder: string | undefined,
): Promise<Routes> {
  const { allowedHosts, allowedOrigins, trustedProxies, rateLimit, idleTimeoutSeconds } = services.config
  const idleMs = idleTimeoutSeconds * 1000
  const app: Routes = fastify({
    loggerInstance: services.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: JSON_LIMIT_BYTES,
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    forceCloseConnections: true,
    // A limit on the whole request would cut off long uploads.
    requestTimeout: 0,
    keepAliveTimeout: idleMs,
    routerOptions: { maxParamLength: HEADERS_LIMIT_BYTES },
    http: {
      highWaterMark: BUFFER_BYTES,
      maxHeaderSize: HEADERS_LIMIT_BYTES,
      headersTimeout: idleMs,
      connectionsCheckingInterval: Math.ceil(idleMs / CHECKS_PER_TIMEOUT),
      // A request without a Host is refused like one with a foreign Host, instead of with Node's answer without a body.
      requireHostHeader: false,
    },
    rewriteUrl: request => routeUrl(withoutKey(request)),
    clientErrorHandler: answerMalformed,
    // Fastify's own validator is not loaded; its types only know that one.
    schemaController: {
      compilersFactory: { buildValidator: validatorCompiler, buildSerializer: serializerCompiler } as object,
    },
  })
  answerUnusual(app.server)
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
  })
  // What answers with nothing has no content.
  app.addHook('onSend', async (_request, reply, payload) => {
    if (payload === undefined && reply.statusCode === 200) reply.code(204)
  })
  const isRoute = (url: string) => gatePrefixes.some(prefix => url.startsWith(`${prefix}/`))
  guardOrigin(app, listening, allowedHosts, { origins: allowedOrigins, isRoute })
  app.addHook('onRequest', services.readiness.refuseWhileDraining)
  app.addHook(
    'onRequest',
    rateLimiting(rateLimit, async request => (await sessionCaller(request, services)) !== undefined),
  )
  limitSilence(app, idleMs)
  speakLanguages(app)
  answerErrors(app, services.log)
  parseBodies(app)
  app.addHook('preValidation', async ({ query }) => {
    const [name] = Object.entries(query as object).find(([, value]) => Array.isArray(value)) ?? []
    if (name !== undefined)
      throw new RequestError('request.invalid_parameter', message('request.repeated', { name }))
  })
  app.decorateRequest('caller')
  app.decorateRequest('isStillValid')
  controlAccess(app, services)
  await app.register(async scope => apiRoutes(scope, services))
  await gateRoutes(app, services)
  await app.register(async scope => appRoutes(scope, services, rendererFolder))
  return app
}

/** A key in the address of a gate, for programs that only know an address. */
const KEY = new RegExp(`^/key/([^/?]+)(?=(?:${gatePrefixes.join('|')})(?:[/?]|$))`)

/** The target of a request, whose key goes to where others are, so that nobody else sees it. */
function withoutKey(request: { url?: string | undefined; headers: IncomingHttpHeaders }): string {
  const { url = '/', headers } = request
  const [whole, key] = KEY.exec(url) ?? []
  if (whole === undefined) return url
  headers['x-service-api-key'] = key
  return url.slice(whole.length)
}

/** Scheme and host of a request target in absolute form, its path, and its query. */
const TARGET = /^(?:[a-z][a-z\d+.-]*:\/\/[^/?#]*)?([^?]*)(.*)$/is
/** Where the id of a job stands. */
const JOBS = /^\/(?:convert\/job|app\/jobs)\//
/** An address that no route has. */
const NOWHERE = '/%25'

/**
 * The URL that routes see. The contract's presigned links begin with /api, so everything answers there as well. A path that does not
 * decode or has an empty part leads nowhere; where a job's id would stand it is taken literally, so that it is refused by the same
 * routes and in the same order as any other id.
 */
function routeUrl(url: string): string {
  const [, whole = '', query = ''] = TARGET.exec(url) ?? []
  const path = whole.startsWith('/api/convert') ? whole.slice('/api'.length) : whole || '/'
  const isDecoded = decodes(path)
  if (JOBS.test(path)) return (isDecoded ? path : path.replaceAll('%', '%25')) + query
  return (isDecoded && !/\/\/|.\/$/.test(path) ? path : NOWHERE) + query
}

function decodes(path: string): boolean {
  try {
    return decodeURIComponent(path) !== ''
  } catch {
    return false
  }
}

/** Parses JSON. Any other body is left to the route as an unread stream. */
function parseBodies(app: Routes): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    if (text === '') return done(null, undefined)
    try {
      done(null, JSON.parse(text as string))
    } catch {
      done(new RequestError('request.malformed', message('request.not_json')), undefined)
    }
  })
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
}
