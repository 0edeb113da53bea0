import type { Preset } from '../../service/web/app/types.ts'

/** Built-in presets that the first screen offers as goals, in their order. */
export const goalIds = ['smaller', 'gif'] as const

export const isGoal = ({ id, builtIn }: Pick<Preset, 'id' | 'builtIn'>): boolean =>
  builtIn && goalIds.some(goal => goal === id)
