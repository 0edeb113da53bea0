/** Everything that the palette offers when it is opened. */
import type { MantineColorScheme } from '@mantine/core'
import { clearFinished, removeRows, retryRows } from '../convert/state/actions.ts'
import { labelOf, offersOf } from '../convert/state/choose/choices.ts'
import { countFormats } from '../convert/state/choose/presets.ts'
import { planNow } from '../convert/state/choose/usePlan.ts'
import { useRemoval } from '../convert/state/rows/removal.ts'
import { stageOf } from '../convert/state/rows/row.ts'
import { linesNow, shown } from '../convert/state/rows/useLines.ts'
import { useGrouping } from '../convert/state/rows/view.ts'
import { useTable } from '../convert/state/store.ts'
import { batchList } from '../jobs/conversions.ts'
import { isOpen } from '../jobs/known.ts'
import { useJobs } from '../jobs/store.ts'
import { chooseLanguage, type LanguageTag, languages, locale } from '../messages/language.ts'
import { text } from '../messages/text.ts'
import { suits } from '../presets/choice.ts'
import { presetHint, presetName } from '../presets/name.ts'
import { usePresets } from '../presets/store.ts'
import { sections } from '../settings/sections.ts'
import { notifyProblem } from '../ui/notifications/notify.ts'
import { goTo, hrefOf, pages } from '../ui/route.ts'
import type { ShortcutId } from '../ui/shortcuts.ts'
import { actions } from './actions.ts'

export interface Command {
  /** Heading it stands under. */
  group: string
  label: string
  /** Additional search words. */
  words?: string
  /** Whether it is the current choice, such as the selected theme. */
  current?: boolean
  shortcut?: ShortcutId
  run(): void
}

export interface Scheme {
  colorScheme: MantineColorScheme
  setColorScheme: (scheme: MantineColorScheme) => void
}

export const commandsNow = (scheme: Scheme): Command[] => [
  ...fileCommands(),
  ...presetCommands(),
  ...targetCommands(),
  ...pageCommands(),
  ...themeCommands(scheme),
  ...languageCommands(),
]

/** The rows shown when a command runs, not when it was offered. */
const rowsNow = () => [...shown(useTable.getState().rows, useRemoval.getState().hidden)]

function fileCommands(): Command[] {
  const rows = rowsNow()
  const stages = new Map(rows.map(row => [row.key, stageOf(row)]))
  const failed = rows.filter(({ key }) => stages.get(key) === 'failed')
  const hasEnded = [...stages.values()].some(stage => ['done', 'failed', 'canceled'].includes(stage))
  const { cancelBatch } = useJobs.getState()
  const open = batchList(useJobs.getState()).filter(isOpen)
  const isPaused = open.every(({ state }) => state === 'paused')
  const { files, hasProblems } = planNow()
  const { groupBy, groupAs } = useGrouping.getState()
  const group = text('commands.files')
  const all: (Omit<Command, 'group'> | false)[] = [
    { label: text('convert.addFiles'), shortcut: 'addFiles', run: actions.addFiles },
    { label: text('convert.addFolder'), shortcut: 'addFolder', run: actions.addFolder },
    files > 0 &&
      !hasProblems && {
        label: text('convert.convertButton', { value: files }),
        shortcut: 'convert',
        run: actions.convert,
      },
    open.length > 0 && {
      label: text(isPaused ? 'convert.resume' : 'convert.pause'),
      shortcut: 'pause',
      run: actions.pause,
    },
    open.length > 0 && {
      label: text('commands.cancelAll'),
      run: () => void Promise.all(open.map(({ id }) => cancelBatch(id))).catch(notifyProblem),
    },
    failed.length > 0 && {
      label: text('commands.retryFailed', { value: failed.length }),
      run: () => void retryRows(failed.map(({ key }) => key)),
    },
    useRemoval.getState().undoable !== null && {
      label: text('commands.undo'),
      run: () => useRemoval.getState().undo(),
    },
    hasEnded && { label: text('convert.clearFinished'), run: () => clearFinished(linesNow()) },
    rows.length > 0 && {
      label: text('convert.groupByKind'),
      current: groupBy === 'kind',
      run: () => groupAs('kind'),
    },
    rows.length > 0 && {
      label: text('convert.groupByFolder'),
      current: groupBy === 'folder',
      run: () => groupAs('folder'),
    },
    rows.length > 0 && {
      label: text('convert.removeAll'),
      run: () => removeRows([...useTable.getState().rows.keys()], linesNow()),
    },
  ]
  return all.flatMap(command => (command ? { ...command, group } : []))
}

function presetCommands(): Command[] {
  const formats = countFormats(rowsNow())
  const { presets, use } = usePresets.getState()
  return presets
    .filter(preset => suits(preset, formats.keys()))
    .map(preset => ({
      group: text('presets.label'),
      label: presetName(preset),
      words: presetHint(preset),
      run: () => {
        goTo('convert')
        use(preset.id)
        useTable.getState().follow(
          preset,
          rowsNow().map(({ key }) => key),
        )
      },
    }))
}

const targetCommands = (): Command[] =>
  offersOf(rowsNow()).map(({ choice }) => ({
    group: text('convert.everything'),
    label: labelOf(choice),
    words: choice.target,
    run: () => {
      goTo('convert')
      useTable.getState().choose(
        rowsNow().map(({ key }) => key),
        choice,
      )
    },
  }))

const open = (href: string) => () => {
  location.hash = href
}

function pageCommands(): Command[] {
  const group = text('commands.pages')
  return [
    ...pages.map(page => ({
      group,
      label: text(`pages.${page}`),
      run: open(hrefOf(page)),
      ...(page === 'settings' ? { shortcut: 'settings' as const } : {}),
    })),
    ...sections().map(section => ({
      group,
      label: text('commands.section', { section: text(`settings.${section}`) }),
      run: open(hrefOf('settings', section)),
    })),
    {
      group,
      label: text('api.reference'),
      run: () => void window.open('/reference', '_blank', 'noreferrer'),
    },
    { group, label: text('shortcuts.title'), shortcut: 'help', run: actions.help },
  ]
}

const themeCommands = ({ colorScheme, setColorScheme }: Scheme): Command[] =>
  (['auto', 'light', 'dark'] as const).map(value => ({
    group: text('settings.theme'),
    label: text(`settings.themes.${value}`),
    current: colorScheme === value,
    run: () => setColorScheme(value),
  }))

const languageCommands = (): Command[] =>
  (Object.keys(languages) as LanguageTag[]).map(tag => ({
    group: text('settings.language'),
    label: languages[tag].name,
    words: tag,
    current: tag === locale(),
    run: () => chooseLanguage(tag),
  }))
