/** How conversions are priced. The shapes are the contract's `CostingInfo`. */

export interface CostVariants {
  /** Path of the option that chooses the variant, such as `transcription.mode`. */
  optionKey: string
  label: string
  default: string
  variants: Record<string, { cost: number; label: string }>
}

export interface Costing {
  strategy: 'Fixed' | 'PerMegabyte' | 'PerPage' | 'PerMinute'
  /** Credits per unit. */
  baseCost: number
  /** Quantity that makes one unit; null when the price is fixed. */
  increment: number | null
  incrementUnit: string | null
  displaySuffix: string
  costVariants: CostVariants | null
}

const suffix = (increment: number, one: string, many: string) =>
  increment === 1 ? `per ${one}` : `per ${increment} ${many}`

export const fixed = (baseCost: number): Costing => ({
  strategy: 'Fixed',
  baseCost,
  increment: null,
  incrementUnit: null,
  displaySuffix: 'each',
  costVariants: null,
})

/** `baseCost` credits for every started `increment` megabytes (1 MB = 1,000,000 bytes). */
export const perMegabyte = (increment: number, baseCost = 1): Costing => ({
  strategy: 'PerMegabyte',
  baseCost,
  increment,
  incrementUnit: 'mb',
  displaySuffix: suffix(increment, 'MB', 'MB'),
  costVariants: null,
})

/** `baseCost` credits for every started `increment` pages, slides or frames. */
export const perPage = (
  increment: number,
  { baseCost = 1, unit = 'pages' }: { baseCost?: number; unit?: 'pages' | 'slides' | 'frames' } = {},
): Costing => ({
  strategy: 'PerPage',
  baseCost,
  increment,
  incrementUnit: unit,
  displaySuffix: suffix(increment, unit.slice(0, -1), unit),
  costVariants: null,
})

/** `baseCost` credits for every started `increment` minutes. */
export const perMinute = (
  increment: number,
  { baseCost = 1, variants = null }: { baseCost?: number; variants?: CostVariants | null } = {},
): Costing => ({
  strategy: 'PerMinute',
  baseCost,
  increment,
  incrementUnit: 'minutes',
  displaySuffix: suffix(increment, 'minute', 'minutes'),
  costVariants: variants,
})
