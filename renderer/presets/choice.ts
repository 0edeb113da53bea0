import type { Preset, StagedFile } from '../../service/web/app/types.ts'
import type { Values } from '../forms/schema.ts'

export interface PresetChoice {
  target: string
  options: Values
}

/** The choice of a preset for a format; null if there is none. */
export const choiceOf = (preset: Pick<Preset, 'choices'>, format: string): PresetChoice | null =>
  (Object.hasOwn(preset.choices, format) && preset.choices[format]) || null

/** The same for one file; also null if its engine is not on this machine. */
export function choiceFor(preset: Pick<Preset, 'choices'>, file: Pick<StagedFile, 'format' | 'targets'>) {
  const choice = file.format === null ? null : choiceOf(preset, file.format)
  const offers = choice && file.targets.some(({ target, missing }) => target === choice.target && !missing)
  return offers ? choice : null
}

/** Whether a preset covers any of these formats. */
export const suits = (preset: Pick<Preset, 'choices'>, formats: Iterable<string>): boolean =>
  Iterator.from(formats).some(format => choiceOf(preset, format) !== null)

/** Presets that cover any of these formats, or all while none is known; one's own come first. */
export const offeredFor = (presets: readonly Preset[], formats: readonly string[]): Preset[] =>
  presets
    .filter(preset => formats.length === 0 || suits(preset, formats))
    .toSorted((a, b) => Number(a.builtIn) - Number(b.builtIn))
