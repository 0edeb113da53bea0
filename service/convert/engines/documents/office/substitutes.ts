/**
 * Chooses which of LibreOffice's fonts replaces a missing one, in the format of fontconfig, which LibreOffice uses
 * (https://fontconfig.pages.freedesktop.org/fontconfig/fontconfig-user.html). By default, the build replaces most fonts
 * with a serif face, even Verdana, Helvetica and Aptos.
 */

/** Where LibreOffice reads this from. */
export const SUBSTITUTES_PATH = '/instdir/share/fonts/truetype/fc_local.conf'

/** Families that the rules below would replace otherwise, by their substitute: the closest in width and style. */
const STAND_INS: Record<string, readonly string[]> = {
  Carlito: ['Calibri', 'Calibri Light'],
  Caladea: ['Cambria'],
  'Liberation Sans': ['Helvetica'],
  'Liberation Sans Narrow': ['Arial Narrow', 'Aptos Narrow', 'Helvetica Condensed'],
  'Liberation Serif': ['Palatino', 'Palatino Linotype'],
  'Liberation Mono': ['Courier', 'Courier New', 'Consolas', 'Lucida Console', 'Menlo', 'Monaco'],
  'DejaVu Sans': ['Verdana', 'Geneva', 'Lucida Sans Unicode'],
  'DejaVu Sans Condensed': ['Tahoma'],
  'Noto Sans': 'Segoe UI,Open Sans,Trebuchet MS,Lucida Grande,Lucida Sans,Century Gothic,Gill Sans MT'.split(
    ',',
  ),
  'Noto Serif': ['Georgia', 'Constantia', 'Bookman Old Style', 'Century Schoolbook'],
  OpenSymbol: 'Symbol,Wingdings,Wingdings 2,Wingdings 3,Webdings,ZapfDingbats,Zapf Dingbats'.split(','),
}

/** Parts of names that reveal the style of an unknown family; all others are replaced with a sans serif. */
const HINTS: Record<string, readonly string[]> = {
  'Liberation Mono': ['Mono', 'Code', 'Typewriter'],
  'Liberation Serif': 'Serif,Roman,Times,Garamond,Antiqua,Bodoni,Baskerville,Caslon,Minion,Mincho'.split(','),
}
/** Part of the names of sans serif families. */
const NO_SERIF = 'Sans'

const ANY_OTHER = 'Liberation Sans'

const alias = (family: string, standIn: string) =>
  `<alias binding="same"><family>${family}</family><accept><family>${standIn}</family></accept></alias>`

const hint = (part: string, standIn: string) =>
  `<match target="pattern"><test name="family" qual="first" compare="contains"><string>${part}</string></test><test name="family" qual="first" compare="not_contains"><string>${NO_SERIF}</string></test><edit name="family" mode="append" binding="same"><string>${standIn}</string></edit></match>`

const each = (table: Record<string, readonly string[]>, rule: (name: string, standIn: string) => string) =>
  Object.entries(table).flatMap(([standIn, names]) => names.map(name => rule(name, standIn)))

/** The rules as a fontconfig file. */
export const substitutes = (): string =>
  [
    '<?xml version="1.0"?>\n<fontconfig>',
    // Each rule inserts its family directly after the missing one, so the last matching rule wins.
    `<match target="pattern"><test name="family" qual="all" compare="not_eq"><string>${ANY_OTHER}</string></test><edit name="family" mode="append" binding="same"><string>${ANY_OTHER}</string></edit></match>`,
    ...each(HINTS, hint),
    ...each(STAND_INS, alias),
    '</fontconfig>\n',
  ].join('\n')
