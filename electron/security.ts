import type { App, Session, Shell, WebContents } from 'electron'
import { hasOrigin } from './serve-channels.ts'

/** The browser permissions that Refile's own page needs: copying, such as an API key. */
const GRANTED = new Set(['clipboard-sanitized-write'])

/** A link that the system's browser may open: plain https, with nothing hidden before the host. */
export function isSafeLink(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, username, password } = new URL(url)
  return protocol === 'https:' && username === '' && password === ''
}

/** Keeps a page on the service's origin, and opens safe links outside. */
function confine(contents: WebContents, origin: string, shell: Pick<Shell, 'openExternal'>): void {
  const openOutside = (url: string) => {
    if (isSafeLink(url)) void shell.openExternal(url)
  }
  contents.setWindowOpenHandler(({ url }) => {
    openOutside(url)
    return { action: 'deny' }
  })
  contents.on('will-navigate', event => {
    if (hasOrigin(event.url, origin)) return
    event.preventDefault()
    openOutside(event.url)
  })
  for (const name of ['will-frame-navigate', 'will-redirect'] as const) {
    contents.on(name as 'will-redirect', event => {
      if (!hasOrigin(event.url, origin)) event.preventDefault()
    })
  }
  contents.on('will-attach-webview', event => event.preventDefault())
}

/**
 * Restricts everything the window shows to `origin`: navigation, requests, permissions, downloads. The page's own
 * content security policy comes from the service; this holds even if the page is compromised.
 */
export function secure(app: App, session: Session, shell: Pick<Shell, 'openExternal'>, origin: string): void {
  const isGranted = (permission: string, from: string) => GRANTED.has(permission) && hasOrigin(from, origin)
  app.on('web-contents-created', (_event, contents) => confine(contents, origin, shell))
  session.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl }) =>
    answer(isGranted(permission, requestingUrl)),
  )
  session.setPermissionCheckHandler((_contents, permission, requestingOrigin) =>
    isGranted(permission, requestingOrigin),
  )
  session.setDevicePermissionHandler(() => false)
  session.webRequest.onBeforeRequest(
    { urls: ['http://*/*', 'https://*/*', 'ws://*/*', 'wss://*/*', 'file:///*'] },
    ({ url }, answer) => answer({ cancel: !hasOrigin(url, origin) }),
  )
  session.on('will-download', (event, item) => {
    // The page also saves files it created itself, as a blob of its origin.
    if (!hasOrigin(item.getURL(), origin)) event.preventDefault()
  })
}
