import { creditsFor, variantOf } from '../../accounts/pricing.ts'
import { measured } from '../../convert/catalogue/costing.ts'
import { isFormatKey } from '../../convert/catalogue/formats.ts'
import { RequestError } from '../../shared/errors.ts'
import { render } from '../../shared/messages/render.ts'
import { examine } from '../../work/intake/examine.ts'
import { factsOf } from '../../work/intake/facts.ts'
import { receive } from '../../work/intake/source.ts'
import { forRole } from '../http/access.ts'
import { disconnectSignal } from '../http/disconnect.ts'
import { integer, object, optional, type Routes } from '../http/schema.ts'
import type { Services } from '../services.ts'
import { Inspection } from './shapes.ts'

/** `POST /convert/inspect`: what a file is, and what it can become. */
export function inspectRoutes(app: Routes, services: Services): void {
  forRole('account', app).post(
    '/convert/inspect',
    {
      schema: {
        summary: 'Inspect a file',
        description:
          'Takes a file as a form, as `POST /convert` does, and answers with its format, pages, length and other facts, and with what it can become and for how many credits. It costs nothing, and nothing of the file is kept.',
        operationId: 'inspect',
        querystring: object({
          thumbnail: optional(
            integer({
              minimum: 16,
              maximum: 1024,
              description: 'Also answer with a picture of it, whose longest edge has so many pixels.',
            }),
          ),
        }),
        response: { 200: Inspection },
      },
    },
    async ({ raw, caller: { accountId }, query: { thumbnail } }, reply) => {
      await using received = await receive({ kind: 'upload', request: raw }, services)
      const { file } = received
      if (!file) throw new RequestError('request.no_files')
      const signal = disconnectSignal(reply)
      const { format, measure, problem } = await examine(services, file, { accountId, signal })
      const { pages, minutes, probe } = measure
      const quantity = measured({ bytes: file.bytes, pages, minutes })
      const known = format && isFormatKey(format) ? format : null
      const edges = known ? services.catalogue.edgesFrom(known) : []
      const checkout = async () => ({ path: file.path, [Symbol.asyncDispose]: async () => {} })
      const shown = { name: file.name, bytes: file.bytes, format: known, probe, checkout }
      const picture = thumbnail && (await services.previews.pictureOf(shown, thumbnail, accountId, signal))
      return {
        format,
        fileName: file.name,
        bytes: file.bytes,
        pageCount: pages ?? null,
        durationMinutes: minutes ?? null,
        facts: { ...factsOf({ format, measure }) },
        problem: problem && render(problem),
        ...(thumbnail && {
          thumbnail: picture ? `data:image/webp;base64,${picture.toString('base64')}` : null,
        }),
        targets: edges.map(({ targetKey, preset, converter: { job, costing } }) => ({
          targetFormat: targetKey,
          job,
          estimatedCredits: creditsFor(costing, quantity, variantOf(costing, preset)),
        })),
      }
    },
  )
}
