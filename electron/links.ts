/** Pages of the app that a link may open, by their names in the URL. */
export const linkedPages = ['convert', 'history', 'credits', 'settings'] as const
export type LinkedPage = (typeof linkedPages)[number]

export const SCHEME = 'refile'

/**
 * The page that a `refile://` link opens. Any website can make the browser follow such a link, so it can only name a page: no
 * file, no folder, no conversion.
 * @returns undefined for anything but `refile://open` and `refile://open/<page>`
 */
export function pageOfLink(link: string): LinkedPage | undefined {
  const found = /^refile:\/\/open(?:\/([a-z]+))?\/?$/.exec(link)
  if (!found) return undefined
  return found[1] === undefined ? 'convert' : linkedPages.find(page => page === found[1])
}
