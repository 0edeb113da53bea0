/** Everything that the palette offers when it is opened. */
import type { MantineColorScheme } from '@mantine/core'
import { type Action, allFiles, perform, possible, subjectOf } from '../actions/action.ts'
import { ofAllFiles } from '../actions/all.ts'
import { convertThese } from '../actions/convert-these.ts'
import { openSettings } from '../actions/open-settings.ts'
import { showShortcuts } from '../actions/show-shortcuts.ts'
import { labelOf, offersOf } from '../convert/state/choose/choices.ts'
import { countFormats } from '../convert/state/choose/presets.ts'
import { useView } from '../convert/state/rows/view.ts'
import { useTable } from '../convert/state/store.ts'
import { chooseLanguage, type LanguageTag, languages, locale } from '../messages/language.ts'
import { text } from '../messages/text.ts'
import { suits } from '../presets/choice.ts'
import { presetHint, presetName } from '../presets/name.ts'
import { usePresets } from '../presets/store.ts'
import { sections } from '../settings/sections.ts'
import { goTo, hrefOf, pages } from '../ui/route.ts'
import { keysText } from '../ui/shortcuts.ts'
import { themes } from '../ui/themes.ts'

export interface Command {
  /** Heading it stands under. */
  group: string
  label: string
  /** Additional search words. */
  words?: string
  /** Whether it is the current choice, such as the selected theme. */
  current?: boolean
  /** As printed on the keyboard. */
  keys?: string
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

const fileCommands = (): Command[] => {
  const on = allFiles()
  const { selected } = useView.getState()
  const some = subjectOf(
    on.rows.filter(({ key }) => selected.has(key)),
    on.lines,
  )
  return [
    ...possible(ofAllFiles, on).map(action => commandOf(action, 'commands.files', on)),
    ...possible([convertThese], some).map(action => commandOf(action, 'commands.files', some, () => some)),
  ]
}

/** @param then what it is done with once it is chosen */
const commandOf = (
  action: Action,
  group: 'commands.files' | 'commands.pages',
  on = allFiles(),
  then = allFiles,
): Command => ({
  group: text(group),
  label: action.name(on),
  current: action.isCurrent?.() ?? false,
  ...(action.shortcut ? { keys: keysText(action.shortcut) } : {}),
  run: () => void perform(action, then()),
})

function presetCommands(): Command[] {
  const formats = countFormats(allFiles().rows)
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
          allFiles().rows.map(({ key }) => key),
        )
      },
    }))
}

const targetCommands = (): Command[] =>
  offersOf(allFiles().rows).map(({ choice }) => ({
    group: text('convert.everything'),
    label: labelOf(choice),
    words: choice.target,
    run: () => {
      goTo('convert')
      useTable.getState().choose(
        allFiles().rows.map(({ key }) => key),
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
    ...pages.map(page =>
      page === 'settings'
        ? commandOf(openSettings, 'commands.pages')
        : { group, label: text(`pages.${page}`), run: open(hrefOf(page)) },
    ),
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
    commandOf(showShortcuts, 'commands.pages'),
  ]
}

const themeCommands = ({ colorScheme, setColorScheme }: Scheme): Command[] =>
  themes.map(value => ({
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
