/** Presents the group of options that scales a picture as one choice of a size. */
import type { OptionGroup } from '../../service/convert/catalogue/options.ts'
import { enumLabel, isGroup, type Values } from './schema.ts'

/** A size to choose: the key of a preset in the schema, `off`, `half`, `custom`, or `exact` for a width and a height. */
export interface SizeChoice {
  key: string
  /** The schema's label; undefined for those that the page names itself. */
  label?: string
}

const HALF_PERCENT = 50
/** Where a picture's own size is not known. */
const USUAL_EDGE = 1600

export interface Size {
  width: number
  height: number
}

/** Sizes that a group offers, the named ones between the original and a custom size. */
export function sizeChoices({ properties: { preset, width } }: OptionGroup): SizeChoice[] {
  const field = preset && !isGroup(preset) ? preset : undefined
  const named = field?.enum?.map(key => ({ key, label: enumLabel(field, key) })) ?? []
  return [
    { key: 'off' },
    ...named.filter(({ key }) => key !== 'off' && key !== 'custom'),
    { key: 'half' },
    { key: 'custom' },
    ...(width ? [{ key: 'exact' }] : []),
  ]
}

/** The size that the values represent. */
export function chosenSize(values: Values): string {
  if (values.enabled === false) return 'off'
  if (values.width !== undefined || values.height !== undefined || values.fit !== undefined) return 'exact'
  const preset = values.preset ?? (values.value === undefined ? 'off' : 'custom')
  if (preset !== 'custom') return String(preset)
  return values.mode === 'percentage' && values.value === HALF_PERCENT ? 'half' : 'custom'
}

/**
 * The values for a size.
 * @param own size of the picture in pixels, the initial value of one of your own
 */
export function valuesOfSize(key: string, values: Values, own: Partial<Size> = {}): Values {
  const { enlarge } = values
  const kept = enlarge === undefined ? {} : { enlarge }
  if (key === 'off') return {}
  if (key === 'half') {
    return { ...kept, enabled: true, mode: 'percentage', preset: 'custom', value: HALF_PERCENT }
  }
  const { width = 0, height = 0 } = own
  const custom = { ...kept, enabled: true, preset: 'custom' }
  if (key === 'custom') return { ...custom, mode: 'pixels', value: Math.max(width, height) || USUAL_EDGE }
  if (key === 'exact')
    return { ...custom, fit: 'contain', width: width || USUAL_EDGE, ...(height && { height }) }
  return { ...kept, enabled: true, preset: key }
}

/** Longest edges of the named sizes in pixels, as in the service's description of the option. */
const EDGES: Record<string, number> = { '4k': 3840, '2k': 2560, '1080p': 1920, '720p': 1280 }

/** The resulting size of a picture; undefined if unknown. */
export function resultSize(
  values: Values,
  { width, height }: { [side in keyof Size]?: number | undefined },
): Size | undefined {
  const key = chosenSize(values)
  if (!width || !height || (key === 'off' && values.enabled !== true)) return undefined
  const number = (value: Values[string]) => (typeof value === 'number' ? value : undefined)
  const box = { width: number(values.width), height: number(values.height) }
  if (key === 'exact' && values.fit !== undefined && values.fit !== 'contain')
    return { width: box.width ?? width, height: box.height ?? height }
  const own = number(values.value)
  const edge = EDGES[key] ?? (values.mode === 'percentage' ? undefined : own)
  const factor =
    key === 'exact'
      ? Math.min((box.width ?? Infinity) / width, (box.height ?? Infinity) / height)
      : edge
        ? edge / Math.max(width, height)
        : (own ?? 100) / 100
  const scale = !Number.isFinite(factor) || (factor > 1 && values.enlarge !== true) ? 1 : factor
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}
