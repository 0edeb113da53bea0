import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext } from 'playwright/test'
import { isFull } from '../testing/fixtures/full.ts'
import { type App, expect, test } from './help/app.ts'

/** A page of another origin, in a real browser that is signed in to the app, learns nothing and changes nothing. */

/** What a page tried and what it got; empty if it got nothing. */
interface Loot {
  tried: number
  got: string[]
}

interface Attacked {
  target: string
  /** An API key that the page has obtained. */
  key: string
  /** How long to wait for an answer. */
  timeoutMs: number
}

/** Runs in the foreign page: every way in which a page can send requests and learn about answers. */
async function attack({ target, key, timeoutMs }: Attacked): Promise<Loot> {
  const got: string[] = []
  let tried = 0
  const attempts: Promise<unknown>[] = []
  const attempt = (name: string, run: () => Promise<string | undefined>) => {
    tried++
    const gone = new Promise<undefined>(resolve => setTimeout(resolve, timeoutMs))
    attempts.push(
      Promise.race([run(), gone]).then(
        found => found !== undefined && got.push(`${name}: ${found.slice(0, 200)}`),
        () => {},
      ),
    )
  }
  const paths = [
    '/',
    '/health',
    '/openapi.json',
    '/open?token=x',
    '/convert/conversions',
    '/convert/entitlements/me',
  ]
  const own = [
    'session',
    'about',
    'keys',
    'jobs',
    'files',
    'batches',
    'webhooks',
    'models',
    'packs',
    'credits/ledger',
    'events',
  ]
  const all = [...paths, ...own.map(name => `/app/${name}`)]
  const json = JSON.stringify({
    name: 'evil',
    amount: 1000,
    path: '/etc/hostname',
    targetFormat: 'jpg',
    fileId: 'x',
  })
  const file = () => {
    const form = new FormData()
    form.set('targetFormat', 'jpg')
    form.set('file', new Blob(['<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>']), 'evil.svg')
    return form
  }
  const written = [
    '/convert',
    '/app/files',
    '/app/keys',
    '/app/batches',
    '/app/credits/top-up',
    '/app/models',
  ]
  /** What an answer reveals: its content if it can be read and is not an error. */
  const textOf = async (answer: Response) =>
    answer.ok ? `${answer.status} ${await answer.text()}` : undefined

  for (const path of all) {
    for (const mode of ['cors', 'no-cors'] as const) {
      attempt(`fetch ${mode} ${path}`, async () =>
        textOf(await fetch(target + path, { mode, credentials: 'include' })),
      )
    }
    attempt(`fetch with a key ${path}`, async () =>
      textOf(await fetch(target + path, { headers: { 'x-service-api-key': key } })),
    )
    const load = (tag: 'img' | 'script' | 'link' | 'video' | 'object' | 'embed') =>
      attempt(`${tag} ${path}`, () => {
        const element = document.createElement(tag)
        if (element instanceof HTMLLinkElement)
          Object.assign(element, { rel: 'stylesheet', href: target + path })
        else if (element instanceof HTMLObjectElement) element.data = target + path
        else (element as HTMLImageElement).src = target + path
        const loaded = new Promise<string | undefined>(resolve => {
          element.onload = () => resolve('it loads')
          element.onerror = () => resolve(undefined)
        })
        document.body.append(element)
        return loaded
      })
    for (const tag of ['img', 'script', 'link', 'video'] as const) load(tag)
    attempt(`frame ${path}`, async () => {
      const frame = document.createElement('iframe')
      frame.src = target + path
      const loaded = new Promise(resolve => {
        frame.onload = resolve
      })
      document.body.append(frame)
      await loaded
      const text = frame.contentDocument?.body?.textContent
      return text && !/request\.|may not call/.test(text) ? text : undefined
    })
  }
  for (const path of written) {
    for (const [name, init] of Object.entries<RequestInit>({
      'a form with a file': { method: 'POST', mode: 'no-cors', body: file() },
      'plain text': { method: 'POST', mode: 'no-cors', body: json },
      'fields of a form': {
        method: 'POST',
        mode: 'no-cors',
        body: new URLSearchParams({ name: 'evil', targetFormat: 'jpg' }),
      },
      JSON: { method: 'POST', body: json, headers: { 'content-type': 'application/json' } },
      'JSON with a key': {
        method: 'POST',
        body: json,
        headers: { 'content-type': 'application/json', 'x-service-api-key': key },
      },
      deletion: { method: 'DELETE' },
    })) {
      attempt(`${name} to ${path}`, async () =>
        textOf(await fetch(target + path, { credentials: 'include', ...init })),
      )
    }
    attempt(`a beacon to ${path}`, async () => void navigator.sendBeacon(target + path, file()))
    attempt(`XMLHttpRequest to ${path}`, () => {
      const request = new XMLHttpRequest()
      request.open('POST', target + path)
      request.withCredentials = true
      const answered = new Promise<string | undefined>(resolve => {
        request.onload = () => resolve(request.status < 400 ? request.responseText : undefined)
        request.onerror = () => resolve(undefined)
      })
      request.send(file())
      return answered
    })
    for (const enctype of ['multipart/form-data', 'text/plain', 'application/x-www-form-urlencoded']) {
      attempt(`a form of ${enctype} to ${path}`, async () => {
        const frame = document.createElement('iframe')
        frame.name = `frame${Math.random()}`
        const form = document.createElement('form')
        Object.assign(form, { action: target + path, method: 'POST', enctype, target: frame.name })
        for (const [name, value] of Object.entries({
          targetFormat: 'jpg',
          '{"name":"evil","amount":1000,"x":"': '"}',
        })) {
          const field = document.createElement('input')
          Object.assign(field, { name, value, type: 'hidden' })
          form.append(field)
        }
        document.body.append(frame, form)
        form.submit()
        return undefined
      })
    }
  }
  for (const path of ['/app/events', '/convert/job/01a1f8e3-15ee-7fe9-ad3a-dcd6a494435e/events']) {
    attempt(`EventSource ${path}`, () => {
      const events = new EventSource(target + path, { withCredentials: true })
      return new Promise(resolve => {
        events.onopen = () => resolve('it opens')
        events.onmessage = ({ data }) => resolve(String(data))
        events.onerror = () => resolve(undefined)
      })
    })
    attempt(`WebSocket ${path}`, () => {
      const socket = new WebSocket(target.replace('http', 'ws') + path)
      return new Promise(resolve => {
        socket.onopen = () => resolve('it opens')
        socket.onmessage = ({ data }) => resolve(String(data))
        socket.onerror = () => resolve(undefined)
      })
    })
  }
  await Promise.all(attempts)
  return { tried, got }
}

const PAGE = '<!doctype html><title>Foreign</title><body>'

/** A server of the attacker, which also counts its requests. */
async function foreignServer(): Promise<{
  port: number
  asked: Map<string, number>
  /** What browsers sent along. */
  cookies: Set<string>
  server: Server
}> {
  const asked = new Map<string, number>()
  const cookies = new Set<string>()
  const server = createServer((request, reply) => {
    const method = request.method ?? ''
    asked.set(method, (asked.get(method) ?? 0) + 1)
    cookies.add(request.headers.cookie ?? '')
    request.resume()
    reply.writeHead(200, { 'content-type': 'text/html' }).end(PAGE)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as AddressInfo).port, asked, cookies, server }
}

/** Everything that a page could have changed. */
async function stateOf({ request, url }: App): Promise<unknown> {
  const read = async (path: string) => (await request.get(`${url}${path}`)).json()
  const names = [
    'session',
    'keys',
    'jobs',
    'files',
    'batches',
    'webhooks',
    'credits/ledger',
    'models',
    'packs',
  ]
  const state = await Promise.all(names.map(async name => [name, await read(`/app/${name}`)] as const))
  return Object.fromEntries(state)
}

async function attackFrom(context: BrowserContext, origin: string, attacked: Attacked): Promise<Loot> {
  const page = await context.newPage()
  await page.goto(`${origin}/`)
  const loot = await page.evaluate(attack, attacked)
  await page.close()
  return loot
}

test('a page of another origin reads nothing and changes nothing', async ({ app, browser }) => {
  test.slow()
  const port = new URL(app.url).port
  const evil = await foreignServer()
  const control = await foreignServer()
  // Signed in, like the person's own browser.
  const context = await browser.newContext({ storageState: await app.context.storageState() })
  // A page that came from the attacker before the name was rebound to this machine.
  await context.route(`http://rebound.test:${port}/`, route =>
    route.fulfill({ contentType: 'text/html', body: PAGE }),
  )
  const before = await stateOf(app)
  const ways = [
    // Of the same site, so that cookies are sent.
    [`http://127.0.0.1:${evil.port}`, app.url],
    [`http://rebound.test:${port}`, `http://rebound.test:${port}`],
  ] as const
  const furtherWays = [
    [`http://evil.test:${evil.port}`, `http://evil.test:${port}`],
    [`http://evil.test:${evil.port}`, app.url],
    [`http://evil.test:${evil.port}`, `http://localhost:${port}`],
  ] as const
  for (const [origin, target] of isFull ? [...ways, ...furtherWays] : ways) {
    await test.step(`${origin} attacks ${target}`, async () => {
      const { tried, got } = await attackFrom(context, origin, { target, key: app.apiKey, timeoutMs: 5000 })
      expect(tried).toBeGreaterThan(200)
      // The rebound page was loaded before, so its own content does not count.
      const foreign = origin === target ? got.filter(each => !each.includes(' /: ')) : got
      expect(foreign).toEqual([])
    })
  }
  expect(await stateOf(app)).toEqual(before)
  // Browsers send cookies to all ports of a host, so that a server of somebody else on this machine gets the session's.
  const sent = [...evil.cookies].find(cookie => cookie.includes('refile_session'))
  expect(sent).toBeDefined()
  const headers = { cookie: sent ?? '' }
  for (const path of ['/app/session', '/convert/entitlements/me'])
    expect((await fetch(`${app.url}${path}`, { headers })).status).toBe(401)
  // The same attacks succeed against a server without protection.
  const open = { target: `http://127.0.0.1:${control.port}`, key: 'x', timeoutMs: 5000 }
  await attackFrom(context, `http://evil.test:${evil.port}`, open)
  expect(control.asked.get('GET')).toBeGreaterThan(60)
  expect(control.asked.get('POST')).toBeGreaterThan(30)
  await context.close()
  for (const { server } of [evil, control]) {
    server.closeAllConnections()
    server.close()
  }
})
