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

/** Every target of the catalogue once, with the formats that can become it. */
function byTarget(
  sources: readonly SourceFormat[],
): Map<string, { target: MenuTarget; sources: SourceFormat[] }> {
  const found = new Map<string, { target: MenuTarget; sources: SourceFormat[] }>()
  for (const source of sources) {
    for (const target of source.targets) {
      const known = found.get(target.key) ?? { target, sources: [] }
      known.sources.push(source)
      found.set(target.key, known)
    }
  }
  return found
}

/**
 * Service menus of Dolphin and other KDE programs, one for each target: an entry is offered if all selected files can become it,
 * and entries of one submenu are shown together. See https://develop.kde.org/docs/apps/dolphin/service-menus/
 */
export function dolphinMenus(sources: readonly SourceFormat[], program = PROGRAM): MenuFile[] {
  return [...byTarget(sources).values()].map(({ target, sources }) => ({
    path: `refile-${target.key}.desktop`,
    content: `[Desktop Entry]
Type=Service
MimeType=${[...new Set(sources.map(({ mime }) => mime))].join(';')};
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
  const scripts = [...byTarget(sources).values()].map(({ target }) => ({
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
