import { type Amount, type Costing, unitsOf } from '../convert/catalogue/costing.ts'
import type { Options } from '../convert/catalogue/task.ts'

/** The variant that the options select, or the default one; null if there are no variants. */
export function variantOf(costing: Costing, options: Options): string | null {
  if (!costing.costVariants) return null
  const value = costing.costVariants.optionKey
    .split('.')
    .reduce<unknown>((level, key) => (level as Record<string, unknown> | undefined)?.[key], options)
  return typeof value === 'string' && Object.hasOwn(costing.costVariants.variants, value)
    ? value
    : costing.costVariants.default
}

/** Credits that one unit costs, at the variant's rate if one is given. */
export function unitCost(costing: Costing, variant: string | null = null): number {
  const variants = costing.costVariants
  if (!variants) return costing.baseCost
  return variants.variants[variant ?? variants.default]?.cost ?? costing.baseCost
}

/** Credits that a conversion costs: its units, rounded up, × unit cost. An unknown quantity costs one unit. */
export const creditsFor = (costing: Costing, amount: Amount, variant: string | null = null): number =>
  unitsOf(costing, amount) * unitCost(costing, variant)
