import type { FastifyReply } from 'fastify'
import { isFormatKey } from '../../convert/catalogue/formats.ts'
import { schemaOf, schemaOfAll } from '../../convert/catalogue/schema.ts'
import { RequestError } from '../../shared/errors.ts'
import { translatedSchema } from '../../shared/messages/languages.ts'
import { message } from '../../shared/messages/message.ts'
import { findEdge } from '../../work/intake/prepare.ts'
import { forRole } from '../http/access.ts'
import { object, type Routes, string } from '../http/schema.ts'
import type { Services } from '../services.ts'

/** The JSON Schemas of options: for one conversion, and for all together. */
export function schemaRoutes(app: Routes, services: Services): void {
  const account = forRole('account', app)
  const { catalogue } = services

  account.get(
    '/convert/schema',
    {
      schema: {
        summary: 'JSON Schema of every option',
        description: 'JSON Schema (draft 2020-12) of the options of all conversions together.',
        operationId: 'getSchema',
      },
    },
    async (_request, reply) => sendSchema(reply, schemaOfAll(catalogue)),
  )

  account.get(
    '/convert/schema/:from/:to',
    {
      schema: {
        summary: "JSON Schema of one conversion's options",
        description: 'The schema with which `options` of `POST /convert` are validated.',
        operationId: 'getSchemaOf',
        params: object({ from: string(), to: string() }),
      },
    },
    async (request, reply) => {
      const { from, to } = request.params
      // A format that can only be written is known, but no conversion starts from it.
      if (isFormatKey(from.toLowerCase()) && catalogue.resolve(from, to).kind === 'unsupported_source')
        throw new RequestError(
          'schema.converter_not_found',
          message('schema.converter_not_found', { source: from, target: to }),
          { context: { sourceFormat: from, targetFormat: to, supportedTargets: [] } },
        )
      return sendSchema(reply, schemaOf(findEdge(catalogue, from, to, 'schema')))
    },
  )
}

/** Sent as bytes so that no charset is added to the media type: RFC 8259 defines none for JSON. */
const sendSchema = (reply: FastifyReply, schema: object) =>
  reply
    .header('content-type', 'application/schema+json')
    .send(Buffer.from(JSON.stringify(schema, translatedSchema)))
