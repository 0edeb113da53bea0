import { creditsFor, variantOf } from '../../accounts/pricing.ts'
import { resultFormat } from '../../convert/catalogue/catalogue.ts'
import { MEGABYTE } from '../../convert/catalogue/costing.ts'
import { RequestError } from '../../shared/errors.ts'
import { message } from '../../shared/messages/message.ts'
import { findEdge } from '../../work/intake/prepare.ts'
import { forRole } from '../http/access.ts'
import { integer, number, object, optional, type Routes, string } from '../http/schema.ts'
import type { Services } from '../services.ts'
import { CostEstimateResponse } from './shapes.ts'

/** Bounds of the quantities that can be priced. */
const quantity = { minimum: 0, maximum: Number.MAX_SAFE_INTEGER }

/** `GET /convert/estimate/{from}/{to}`: what a conversion would cost. */
export function estimateRoutes(app: Routes, services: Services): void {
  const account = forRole('account', app)
  account.get(
    '/convert/estimate/:from/:to',
    {
      schema: {
        summary: 'What a conversion would cost',
        description: 'Credits for a file of the given size. Without a size it is the minimum.',
        operationId: 'estimate',
        params: object({ from: string(), to: string() }),
        querystring: object({
          fileSizeBytes: optional(integer(quantity)),
          fileSizeMb: optional(number(quantity)),
          pageCount: optional(integer(quantity)),
          durationMinutes: optional(number(quantity)),
          variant: optional(string()),
          furtherTargets: optional(
            string({
              description: 'Targets of further steps, such as `jpg,webp`: the price is that of all.',
            }),
          ),
        }),
        response: { 200: CostEstimateResponse },
      },
    },
    async request => {
      const { from, to } = request.params
      const { fileSizeBytes, fileSizeMb, pageCount, durationMinutes, variant, furtherTargets } = request.query
      const edge = findEdge(services.catalogue, from, to, 'estimate')
      const { converter } = edge
      const { costing, limits } = converter
      const variants = Object.keys(costing.costVariants?.variants ?? {})
      if (variant !== undefined && !variants.includes(variant)) {
        throw new RequestError(
          'estimate.invalid_variant',
          variants.length > 0
            ? message('estimate.invalid_variant', { variant, variants: variants.join(', ') })
            : message('estimate.no_variants'),
        )
      }
      const bytes = fileSizeBytes ?? (fileSizeMb === undefined ? undefined : fileSizeMb * MEGABYTE)
      const size = { bytes, pages: pageCount, minutes: durationMinutes }
      let [last, estimatedCredits] = [edge, creditsFor(costing, size, variant ?? null)]
      for (const target of furtherTargets?.split(',') ?? []) {
        last = findEdge(services.catalogue, resultFormat(last), target, 'estimate')
        const { costing } = last.converter
        estimatedCredits += creditsFor(costing, size, variantOf(costing, last.preset))
      }
      return {
        job: converter.job,
        category: converter.category,
        estimatedCredits,
        costing,
        inputs: {
          fileSizeBytes: fileSizeBytes ?? null,
          fileSizeMb: fileSizeMb ?? null,
          pageCount: pageCount ?? null,
          durationMinutes: durationMinutes ?? null,
        },
        limits: {
          maxFileSizeBytes: Math.min(limits.bytes, services.config.maxFileBytes),
          maxPages: limits.pages,
          maxDurationMinutes: limits.minutes,
        },
      }
    },
  )
}
