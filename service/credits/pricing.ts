import type { Costing } from '../catalogue/costing.ts'
import type { Measure, Options } from '../catalogue/task.ts'

/** Bytes in the megabyte prices are counted in. */
export const MEGABYTE = 1_000_000

export interface Quantity extends Measure {
  bytes?: number
}

/** The variant an options object selects, or the default one; null where there are no variants. */
export function variantOf(costing: Costing, options: Options): string | null {
  if (!costing.costVariants) return null
  const value = costing.costVariants.optionKey
    .split('.')
    .reduce<unknown>((level, key) => (level as Record<string, unknown> | undefined)?.[key], options)
  return typeof value === 'string' && Object.hasOwn(costing.costVariants.variants, value)
    ? value
    : costing.costVariants.default
}

/** Credits one unit costs, with the variant's rate where one is chosen. */
export function unitCost(costing: Costing, variant: string | null = null): number {
  const variants = costing.costVariants
  if (!variants) return costing.baseCost
  return variants.variants[variant ?? variants.default]?.cost ?? costing.baseCost
}

/**
 * Credits a conversion costs: `ceil(quantity / increment) × unit cost`, at least one unit. A quantity that is
 * not known costs one unit.
 */
export function creditsFor(costing: Costing, quantity: Quantity, variant: string | null = null): number {
  const cost = unitCost(costing, variant)
  const amount = {
    Fixed: undefined,
    PerMegabyte: quantity.bytes === undefined ? undefined : quantity.bytes / MEGABYTE,
    PerPage: quantity.pages,
    PerMinute: quantity.minutes,
  }[costing.strategy]
  if (amount === undefined || costing.increment === null) return cost
  return Math.max(1, Math.ceil(amount / costing.increment)) * cost
}
