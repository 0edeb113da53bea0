import type { MenuTarget, SourceFormat } from './sources.ts'

/** Placeholder for the program's path until the menus are installed. */
export const PROGRAM = '@REFILE@'

/** A menu file; its path is relative to the menu's folder. */
export interface MenuFile {
  path: string
  content: string
}

const MENU = 'Convert with Refile'

/** Names of the catalogue's categories, used as submenus. */
const categories: Record<string, string> = {
  images: 'Images',
  documents: 'Documents',
  audio: 'Audio',
  video: 'Video',
  ebooks: 'Ebooks',
  fonts: 'Fonts',
  archives: 'Archives',
}

/** Every target of the catalogue once, with the MIME types of the formats that can become it. */
function byTarget(sources: readonly SourceFormat[]): { target: MenuTarget; mimes: Set<string> }[] {
  const pairs = sources.flatMap(({ mime, targets }) => targets.map(target => ({ mime, target })))
  return [...Map.groupBy(pairs, ({ target }) => target.key).values()].map(same => ({
    target: same[0]!.target,
    mimes: new Set(same.map(({ mime }) => mime)),
  }))
}

/**
 * Service menus of Dolphin and other KDE programs, one for each target: an entry is offered if all selected files can become it,
 * and entries of one submenu are shown together. See https://develop.kde.org/docs/apps/dolphin/service-menus/
 */
export function dolphinMenus(sources: readonly SourceFormat[], program = PROGRAM): MenuFile[] {
  return byTarget(sources).map(({ target, mimes }) => ({
    path: `refile-${target.key}.desktop`,
    content: `[Desktop Entry]
Type=Service
MimeType=${[...mimes].join(';')};
Actions=convert;
X-KDE-ServiceTypes=KonqPopupMenu/Plugin
X-KDE-Submenu=${MENU}

[Desktop Action convert]
Name=${target.label}
Icon=refile
Exec=${program} --to=${target.key} %F
`,
  }))
}

/**
 * Scripts of GNOME Files, in folders that it shows as submenus. It offers them for every selection; files that cannot become the
 * chosen target are left to the window. See https://help.ubuntu.com/community/NautilusScriptsHowto
 */
export function nautilusScripts(sources: readonly SourceFormat[]): MenuFile[] {
  const scripts = byTarget(sources).map(({ target }) => ({
    path: `${MENU}/${categories[target.category] ?? target.category}/${target.label.replaceAll('/', '∕')}`,
    content: scriptOf(PROGRAM, `--to=${target.key} `),
  }))
  // Two targets of the same name, such as Markdown of a document and of a recording, share one entry: the first.
  const unique = new Map(scripts.toReversed().map(script => [script.path, script]))
  return [{ path: `${MENU}/Open in Refile`, content: scriptOf(PROGRAM, '') }, ...unique.values()]
}

const scriptOf = (program: string, args: string): string => `#!/bin/sh
# The selection arrives as the arguments, relative to the folder that is shown.
exec ${program} ${args}"$@"
`
