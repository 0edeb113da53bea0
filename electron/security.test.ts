import type { App, Session } from 'electron'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { isSafeLink, secure } from './security.ts'
import { app, BrowserWindow, fake, preventable, session, shell } from './test/fake-electron.ts'

const ORIGIN = 'http://127.0.0.1:7421'
const OWN = [`${ORIGIN}/`, `${ORIGIN}/history?x=1`]
const FOREIGN = [
  'https://example.com/',
  'http://127.0.0.1:7422/',
  'http://localhost:7421/',
  'http://127.0.0.1:7421.example.com/',
  'http://127.0.0.1:7421@example.com/',
  'file:///etc/passwd',
  'data:text/html,x',
  'about:blank',
  'javascript:alert(1)',
  'not a url',
]

let contents: BrowserWindow['webContents']

beforeEach(async () => {
  app.removeAllListeners()
  await app.whenReady()
  session.defaultSession.removeAllListeners()
  fake.openedOutside.length = 0
  secure(app as unknown as App, session.defaultSession as unknown as Session, shell, ORIGIN)
  contents = new BrowserWindow({}).webContents
})

function isPrevented(event: string, url: string): boolean {
  const details = preventable({ url })
  contents.emit(event, details)
  return details.defaultPrevented
}

describe.each(['will-navigate', 'will-frame-navigate', 'will-redirect'])('%s', event => {
  test.each(OWN)('may go to %s', url => expect(isPrevented(event, url)).toBe(false))
  test.each(FOREIGN)('may not go to %s', url => expect(isPrevented(event, url)).toBe(true))
})

test('opens no window, and passes safe links to the system', () => {
  const open = (url: string) => contents.windowOpenHandler?.({ url })
  expect(open('https://example.com/a')).toEqual({ action: 'deny' })
  for (const url of [
    ...OWN,
    'http://example.com/',
    'file:///etc/passwd',
    'https://me:secret@example.com/',
    'x',
  ]) {
    expect(open(url)).toEqual({ action: 'deny' })
  }
  expect(fake.openedOutside).toEqual(['https://example.com/a'])
})

test('a link clicked on the page opens outside once', () => {
  for (const event of ['will-frame-navigate', 'will-navigate']) isPrevented(event, 'https://example.com/')
  expect(fake.openedOutside).toEqual(['https://example.com/'])
})

test.each([
  ['https://example.com/x?y#z', true],
  ['http://example.com/', false],
  ['https://a@example.com/', false],
  ['mailto:a@example.com', false],
  ['smb://server/share', false],
  ['ms-settings:privacy', false],
  ['', false],
])('%s is a safe link: %s', (url, expected) => expect(isSafeLink(url)).toBe(expected))

test('attaches no webview', () => {
  const event = preventable()
  contents.emit('will-attach-webview', event)
  expect(event.defaultPrevented).toBe(true)
})

describe('permissions', () => {
  const request = (permission: string, requestingUrl: string) => {
    const answer = vi.fn()
    session.defaultSession.handlers.permissionRequest?.(
      ...([contents, permission, answer, { requestingUrl }] as never[]),
    )
    return answer.mock.calls
  }
  const check = (permission: string, origin: string) =>
    session.defaultSession.handlers.permissionCheck?.(...([contents, permission, origin] as never[]))

  test.each([
    'media',
    'geolocation',
    'notifications',
    'clipboard-read',
    'fileSystem',
    'openExternal',
    'unknown',
  ])('%s is denied even to the page itself', permission => {
    expect(request(permission, `${ORIGIN}/`)).toEqual([[false]])
    expect(check(permission, ORIGIN)).toBe(false)
  })

  test('only the page may write to the clipboard', () => {
    expect(request('clipboard-sanitized-write', `${ORIGIN}/keys`)).toEqual([[true]])
    expect(check('clipboard-sanitized-write', ORIGIN)).toBe(true)
    expect(request('clipboard-sanitized-write', 'https://example.com/')).toEqual([[false]])
    expect(check('clipboard-sanitized-write', 'https://example.com')).toBe(false)
  })

  test('no device is granted', () => {
    expect(session.defaultSession.handlers.devicePermission?.()).toBe(false)
  })
})

test('requests can only go to the service', () => {
  const isCanceled = (url: string) => {
    const answer = vi.fn()
    session.defaultSession.handlers.beforeRequest?.(...([{ url }, answer] as never[]))
    return answer.mock.calls[0]?.[0].cancel
  }
  for (const scheme of ['http', 'https', 'ws', 'wss', 'file'])
    expect(fake.watchedUrls).toContainEqual(expect.stringMatching(new RegExp(`^${scheme}://`)))
  expect(OWN.map(isCanceled)).toEqual([false, false])
  expect(FOREIGN.map(isCanceled)).toEqual(FOREIGN.map(() => true))
})

test('downloads only come from the page', () => {
  const isDownloadPrevented = (url: string) => {
    const event = preventable()
    session.defaultSession.emit('will-download', event, { getURL: () => url })
    return event.defaultPrevented
  }
  expect(isDownloadPrevented(`${ORIGIN}/convert/job/1/download`)).toBe(false)
  expect(isDownloadPrevented(`blob:${ORIGIN}/0b4e`)).toBe(false)
  expect(isDownloadPrevented('https://example.com/a.exe')).toBe(true)
})
