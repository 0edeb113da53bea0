/** Applies the person's choices to rows. */
import type { Preset, TargetChoice } from '../../../../service/web/app/types.ts'
import { type Values, withValue } from '../../../forms/schema.ts'
import { noOptions } from '../rows/new-row.ts'
import { isUnderWay, type Row, stageOf } from '../rows/row.ts'
import type { Rows, RowsState } from '../rows/rows.ts'
import { useUndo } from '../undo.ts'
import { takes, usualTarget } from './choices.ts'
import type { LastChoices } from './memory.ts'
import { choiceOfPreset, isFollowed, isLeftOut } from './presets.ts'

export interface Following {
  /** The last selected preset: new files follow it too, until something else is chosen. */
  following: Preset | null
}

interface Deps {
  rows: Pick<Rows, 'change'>
  get: () => RowsState & Following
  set: (state: Following) => void
  /** The choices at the last conversion. */
  last: () => LastChoices
}

/** A row with an earlier choice of its own; what was converted since is converted again. */
const withChoiceOf = (row: Row, earlier: Row | undefined): Row => {
  if (!earlier || isUnderWay(row)) return row
  const { target, options, pendingTarget, item, needsReconversion } = earlier
  const isSame = item === row.item
  return {
    ...row,
    target,
    options,
    pendingTarget,
    needsReconversion: isSame ? needsReconversion : row.item !== null,
  }
}

/** What a person can choose for rows. */
export type Choosing = Omit<ReturnType<typeof chooseFor>, 'settle'>

export function chooseFor({ rows, get, set, last }: Deps) {
  /** The choice for each format since the page was opened. */
  const usual = new Map<string, string>()

  const withTarget = (row: Row, target: string): Row => ({
    ...row,
    target,
    options: last().optionsOf(row.format ?? '', target) ?? noOptions,
  })

  const byPreset = (row: Row, preset: Preset | null): Row | null => {
    const choice = preset && !isUnderWay(row) && choiceOfPreset(preset, row)
    if (!choice) return null
    if (row.format) usual.set(row.format, choice.target)
    return { ...row, target: choice.target, options: choice.options, needsReconversion: row.item !== null }
  }

  /**
   * Changes rows and the preset to follow, so that it can be taken back.
   * @param of what is changed, if it is changed in many small steps
   */
  const undoably = (keys: readonly string[], act: () => void, of?: string) => {
    const { following, rows: before } = get()
    act()
    const { following: next, rows: after } = get()
    const old = new Map<string, Row>()
    for (const key of keys) {
      const row = before.get(key)
      if (row && row !== after.get(key)) old.set(key, row)
    }
    if (old.size === 0 && following === next) return
    useUndo.getState().record(of === undefined ? null : `${of} ${keys[0]} ${keys.length}`, () => {
      set({ following })
      rows.change(old.keys(), row => withChoiceOf(row, old.get(row.key)))
    })
  }

  /** Changes rows as the person wants; a preset is no longer followed once one of them differs from it. */
  const change = (keys: Iterable<string>, edit: (row: Row) => Row, of?: string) => {
    const changed = [...keys]
    undoably(
      changed,
      () => {
        rows.change(changed, edit)
        const { following, rows: all } = get()
        const own = changed.flatMap(key => all.get(key) ?? [])
        const isLeft =
          following &&
          (own.some(({ pendingTarget }) => pendingTarget) || isFollowed(following, own) === false)
        if (isLeft) set({ following: null })
      },
      of,
    )
  }

  /** Follows another preset, or none. */
  const changeTo = (following: Preset | null, keys: Iterable<string>, edit: (row: Row) => Row) => {
    const changed = [...keys]
    undoably(changed, () => {
      set({ following })
      rows.change(changed, edit)
    })
  }

  /** A newly added file gets what was chosen for it during the upload, otherwise its format's usual target. */
  const settle = (row: Row): Row => {
    const { file, target, pendingTarget, format } = row
    if (target !== null || !file) return row
    if (pendingTarget && takes(row, pendingTarget))
      return { ...withTarget(row, pendingTarget.target), pendingTarget: null }
    const { following } = get()
    const followed = byPreset(row, following)
    if (followed || isLeftOut(row, following)) return followed ?? row
    const wanted = usualTarget(row, usual.get(format ?? '') ?? last().targetOf(format ?? ''))
    return wanted === null ? row : withTarget(row, wanted)
  }

  return {
    settle,

    choose(keys: Iterable<string>, choice: TargetChoice): void {
      const { target } = choice
      change(keys, row => {
        if (stageOf(row) === 'coming') return { ...row, pendingTarget: choice }
        if (!takes(row, choice)) return row
        if (row.format) usual.set(row.format, target)
        if (row.target === target && !row.item) return row
        const chosen = row.target === target ? row : withTarget(row, target)
        return { ...chosen, needsReconversion: row.item !== null }
      })
    },

    /** Sets one option; `undefined` restores its default. */
    setOption(keys: Iterable<string>, path: readonly string[], value: unknown): void {
      const edited = new Map<Values, Values>()
      change(
        keys,
        row => {
          if (isUnderWay(row)) return row
          const options = edited.get(row.options) ?? withValue(row.options, path, value)
          edited.set(row.options, options)
          return { ...row, options, needsReconversion: row.item !== null }
        },
        path.join(),
      )
    },

    setOptions: (keys: Iterable<string>, options: Values): void =>
      change(keys, row =>
        isUnderWay(row) ? row : { ...row, options, needsReconversion: row.item !== null },
      ),

    /** Applies a preset to these rows only. */
    apply: (preset: Preset, keys: Iterable<string>): void =>
      change(keys, row => byPreset(row, preset) ?? row),

    /** Applies a preset to all rows that it covers, and to files added later; the others are left unchanged. */
    follow(preset: Preset, keys: Iterable<string>): void {
      changeTo(
        preset,
        keys,
        row =>
          byPreset(row, preset) ??
          (isLeftOut(row, preset)
            ? { ...row, target: null, options: noOptions, pendingTarget: null }
            : row.pendingTarget
              ? { ...row, pendingTarget: null }
              : row),
      )
    },

    /** Restores the default options of all rows that follow a preset; their targets stay. */
    unfollow(preset: Preset, keys: Iterable<string>): void {
      changeTo(null, keys, row =>
        isLeftOut(row, preset)
          ? settle(row)
          : choiceOfPreset(preset, row) && !isUnderWay(row)
            ? { ...row, options: noOptions, needsReconversion: row.item !== null }
            : row,
      )
    },
  }
}
