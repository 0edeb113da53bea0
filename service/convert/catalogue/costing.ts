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
  /** Quantity in one unit; null if the price is fixed. */
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

/** Bytes in a megabyte, as used in prices. */
export const MEGABYTE = 1_000_000

/** The size of a file, in the units of prices. */
export interface Amount {
  bytes?: number
  /** Pages, slides or frames. */
  pages?: number
  minutes?: number
}

/**
 * Number of units that a conversion is charged for: started increments, at least one. An unknown amount counts as one
 * unit.
 */
export function unitsOf({ strategy, increment }: Costing, amount: Amount): number {
  const quantity = {
    Fixed: undefined,
    PerMegabyte: amount.bytes === undefined ? undefined : amount.bytes / MEGABYTE,
    PerPage: amount.pages,
    PerMinute: amount.minutes,
  }[strategy]
  return quantity === undefined || increment === null ? 1 : Math.max(1, Math.ceil(quantity / increment))
}

/**
 * An amount that was measured: its length is rounded down to the second, so that an encoder's padding costs nothing. Minutes are
 * seconds divided by 60, so the last bit may be lost.
 */
export const measured = ({ minutes, ...rest }: Amount): Amount =>
  minutes === undefined ? rest : { ...rest, minutes: Math.floor(minutes * 60 + 1e-6) / 60 }

/** How much longer a media file may be than its header says: this share of it, and at least this many seconds. */
const TOLERATED_SHARE = 0.01
const TOLERATED_SECONDS = 2

/** Whether a file turned out to contain more units than were charged for. */
export function exceeds(costing: Costing, charged: Amount, read: Amount): boolean {
  const seconds = Math.max(TOLERATED_SECONDS, (charged.minutes ?? 0) * 60 * TOLERATED_SHARE)
  const { minutes, ...rest } = read
  const tolerated = minutes === undefined ? rest : { ...rest, minutes: minutes - seconds / 60 }
  return unitsOf(costing, measured(tolerated)) > unitsOf(costing, measured(charged))
}
