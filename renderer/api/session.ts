/**
 * The page's half of its session's token, which goes with every request beside the cookie: what a page keeps belongs to one port,
 * while browsers send cookies to all ports of a host, and so to servers of other people on this machine.
 */

const STORAGE_KEY = 'refile-session'
const IN_ADDRESS = /^#session=([\w-]+)$/

const half = (): string => localStorage.getItem(STORAGE_KEY) ?? ''

const HEADER = 'x-service-session'

/** Tells this window of the page from others, which hear of what it does. */
export const ownWindow = String(crypto.getRandomValues(new Uint32Array(2)))

const headers = () => ({ [HEADER]: half(), 'x-service-window': ownWindow })

/** `fetch` for requests that need the session. */
export const send = (path: string, init: RequestInit): Promise<Response> =>
  fetch(path, { ...init, headers: { ...init.headers, ...headers() } })

/** Opens a request with the session whose progress is followed. */
export function open(request: XMLHttpRequest, method: string, path: string): void {
  request.open(method, path)
  for (const [name, value] of Object.entries(headers())) request.setRequestHeader(name, value)
}

/** The address of what the browser itself requests, which cannot have headers: pictures, media files, downloads and live events. */
export const addressed = (path: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}session=${encodeURIComponent(half())}`

/** Keeps the half that the service has put into the page's address, unless it is nobody's: any site can lead here. */
export async function takeSession(): Promise<void> {
  const [, given] = IN_ADDRESS.exec(location.hash) ?? []
  if (given === undefined) return
  const { ok } = await fetch('/app/session', { headers: { [HEADER]: given } })
  if (ok) localStorage.setItem(STORAGE_KEY, given)
  history.replaceState(null, '', '/')
}
