/** Presents the group of options that scales a picture as one choice of a size. */
import type { OptionGroup } from '../../service/convert/catalogue/options.ts'
import { isGroup, type Values } from './schema.ts'

/** A size to choose: the key of a preset in the schema, `off`, `half` or `custom`. */
export interface SizeChoice {
  key: string
  /** The schema's label; undefined for those that the page names itself. */
  label?: string
}

const HALF_PERCENT = 50

/** Sizes that a group offers, the named ones between the original and a custom size. */
export function sizeChoices({ properties: { preset } }: OptionGroup): SizeChoice[] {
  const keys = !preset || isGroup(preset) ? [] : (preset.enum ?? [])
  const labels = (!preset || isGroup(preset) ? [] : preset['x-labels']) ?? []
  const named = keys.map((key, index) => ({ key, label: labels[index] ?? key }))
  return [
    { key: 'off' },
    ...named.filter(({ key }) => key !== 'off' && key !== 'custom'),
    { key: 'half' },
    { key: 'custom' },
  ]
}

/** The size that the values represent. */
export function chosenSize(values: Values): string {
  if (values.enabled === false) return 'off'
  const preset = values.preset ?? (values.value === undefined ? 'off' : 'custom')
  if (preset !== 'custom') return String(preset)
  return values.mode === 'percentage' && values.value === HALF_PERCENT ? 'half' : 'custom'
}

/**
 * The values for a size.
 * @param edge longest edge of the picture in pixels, the initial value of a custom size
 */
export function valuesOfSize(key: string, values: Values, edge: number | undefined): Values {
  const { enlarge } = values
  const kept = enlarge === undefined ? {} : { enlarge }
  if (key === 'off') return {}
  if (key === 'half') {
    return { ...kept, enabled: true, mode: 'percentage', preset: 'custom', value: HALF_PERCENT }
  }
  if (key !== 'custom') return { ...kept, enabled: true, preset: key }
  return { ...kept, enabled: true, mode: 'pixels', preset: 'custom', value: edge ?? 1600 }
}

/** Longest edges of the named sizes in pixels, as in the service's description of the option. */
const EDGES: Record<string, number> = { '4k': 3840, '2k': 2560, '1080p': 1920, '720p': 1280 }

/** The resulting size of a picture; undefined if unknown. */
export function resultSize(
  values: Values,
  { width, height }: { width?: number | undefined; height?: number | undefined },
): { width: number; height: number } | undefined {
  const key = chosenSize(values)
  if (!width || !height || (key === 'off' && values.enabled !== true)) return undefined
  const own = typeof values.value === 'number' ? values.value : undefined
  const edge = EDGES[key] ?? (values.mode === 'percentage' ? undefined : own)
  const factor = edge ? edge / Math.max(width, height) : (own ?? 100) / 100
  const scale = factor > 1 && values.enlarge !== true ? 1 : factor
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}
