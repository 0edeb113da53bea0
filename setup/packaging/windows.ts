import type { SourceFormat } from './sources.ts'

/** In NSIS strings a dollar sign is doubled and a quotation mark follows `$\`. */
const nsisText = (text: string): string => text.replaceAll('$', '$$$$').replaceAll('"', '$\\"')

const write = (key: string, name: string, value: string) =>
  `  WriteRegStr SHCTX "${key}" "${name}" "${nsisText(value).replaceAll('$$INSTDIR', '$INSTDIR')}"`
const remove = (key: string) => `  DeleteRegKey SHCTX "${key}"`

const CLASSES = 'Software\\Classes'
const MENUS = `${CLASSES}\\Refile.Menus`
const APPLICATION = `${CLASSES}\\Applications\\Refile.exe`
const PROGRAM = '$INSTDIR\\Refile.exe'

/**
 * A script in a folder that Windows has on the PATH of every person, so that `refile` is known without a change of that setting. A
 * batch file is read in the code page of the console, so that it names a path that the person chose by its short name.
 */
const SHIM = '$LOCALAPPDATA\\Microsoft\\WindowsApps\\refile.cmd'
/** Where the app is installed if nobody chooses another folder, from the folder of local data. */
const USUAL = 'Programs\\Refile'

/** Installed for all users, there is no such folder. */
const addShim = [
  '  StrCmp $installMode "all" no_shim',
  '  GetFullPathName /SHORT $1 $INSTDIR',
  `  StrCmp $INSTDIR "$LOCALAPPDATA\\${USUAL}" 0 +2`,
  `  StrCpy $1 "%~dp0..\\..\\${USUAL}"`,
  '  ClearErrors',
  `  FileOpen $0 "${SHIM}" w`,
  '  IfErrors no_shim',
  `  FileWrite $0 '@"$1\\resources\\cli\\refile.cmd" %*$\\r$\\n'`,
  '  FileClose $0',
  '  no_shim:',
]

const menuOf = (suffix: string) => `${CLASSES}\\SystemFileAssociations\\.${suffix}\\shell\\Refile`

/**
 * What the Windows installer adds to the registry, as an include of its NSIS script: "Convert with Refile" in the menu of every
 * file it converts, with a submenu of targets, and an entry under "Open with". These are classic verbs, which Windows 11 shows
 * under "Show more options"; see https://learn.microsoft.com/windows/win32/shell/context-menu-handlers and, on submenus,
 * https://learn.microsoft.com/windows/win32/shell/how-to-create-cascading-menus-with-the-extendedsubcommandskey-registry-entry
 */
export function nsisInclude(sources: readonly SourceFormat[]): string {
  const install = sources.flatMap(({ key, suffixes, targets }) => [
    ...targets.flatMap((target, index) => {
      // Entries are sorted by name.
      const entry = `${MENUS}\\${key}\\shell\\${String(index).padStart(2, '0')}${target.key}`
      return [
        write(entry, 'MUIVerb', target.label),
        write(`${entry}\\command`, '', `"${PROGRAM}" --to=${target.key} "%1"`),
      ]
    }),
    ...suffixes.flatMap(suffix => [
      write(menuOf(suffix), 'MUIVerb', 'Convert with Refile'),
      write(menuOf(suffix), 'Icon', PROGRAM),
      // Starts the program once for each selected file, and the app collects them; without this, at most 15 files are
      // passed.
      write(menuOf(suffix), 'MultiSelectModel', 'Player'),
      write(menuOf(suffix), 'ExtendedSubCommandsKey', `Refile.Menus\\${key}`),
      write(`${APPLICATION}\\SupportedTypes`, `.${suffix}`, ''),
    ]),
  ])
  const uninstall = sources.flatMap(({ suffixes }) => suffixes.map(suffix => remove(menuOf(suffix))))
  return [
    '; Made from the catalogue by setup/packaging/windows.ts.',
    '!macro customInstall',
    write(`${APPLICATION}\\shell\\open\\command`, '', `"${PROGRAM}" "%1"`),
    ...install,
    ...addShim,
    '!macroend',
    '',
    '!macro customUnInstall',
    ...uninstall,
    remove(MENUS),
    remove(APPLICATION),
    // An update uninstalls the version before, and writes the script again.
    `  Delete "${SHIM}"`,
    '  ; The app registers its links for the person who runs it.',
    '  DeleteRegKey HKCU "Software\\Classes\\refile"',
    '  DeleteRegValue HKCU "Software\\Microsoft\\Windows\\CurrentVersion\\Run" "io.github.refile"',
    '!macroend',
    '',
  ].join('\r\n')
}
