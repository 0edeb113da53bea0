/** Gives rows what the person chooses for them. */
import type { TargetChoice } from '../../service/app/types.ts'
import { type Values, withValue } from '../forms/schema.ts'
import { takes, usualTarget } from './choices.ts'
import type { LastChoices } from './memory.ts'
import { noOptions } from './new-row.ts'
import { isUnderWay, type Row, stageOf } from './row.ts'
import type { Rows } from './rows.ts'

/**
 * @param last what was chosen when files were last converted
 */
export function chooseFor(rows: Pick<Rows, 'change'>, last: () => LastChoices) {
  /** What was chosen for each format since the page was opened. */
  const usual = new Map<string, string>()

  const withTarget = (row: Row, target: string | null): Row => {
    const options = target && row.format ? last().optionsOf(row.format, target) : undefined
    return { ...row, target, options: options ?? noOptions }
  }

  return {
    /** A file that is there becomes what was chosen for it on its way in, or else what its format usually does. */
    settle(row: Row): Row {
      const { file, target, wish, format } = row
      if (target !== null || !file) return row
      if (wish && takes(row, wish)) return withTarget(row, wish.target)
      const wanted = usualTarget(row, usual.get(format ?? '') ?? last().targetOf(format ?? ''))
      return wanted === null ? row : withTarget(row, wanted)
    },

    choose(keys: Iterable<string>, choice: TargetChoice): void {
      const { target } = choice
      rows.change(keys, row => {
        if (stageOf(row) === 'coming') return { ...row, wish: choice }
        if (!takes(row, choice)) return row
        if (row.format) usual.set(row.format, target)
        if (row.target === target && !row.item) return row
        const chosen = row.target === target ? row : withTarget(row, target)
        return { ...chosen, again: row.item !== null }
      })
    },

    /** Sets one option; `undefined` takes it back to its default. */
    setOption(keys: Iterable<string>, path: readonly string[], value: unknown): void {
      const edited = new Map<Values, Values>()
      rows.change(keys, row => {
        if (isUnderWay(row)) return row
        const options = edited.get(row.options) ?? withValue(row.options, path, value)
        edited.set(row.options, options)
        return { ...row, options, again: row.item !== null }
      })
    },

    setOptions: (keys: Iterable<string>, options: Values): void =>
      rows.change(keys, row => (isUnderWay(row) ? row : { ...row, options, again: row.item !== null })),
  }
}
