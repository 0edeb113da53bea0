import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { misbehaving } from '../../../testing/misbehaving.ts'
import { sharedService } from '../../../testing/service.ts'
import type { SessionRole } from '../../store/interfaces/accounts.ts'
import type { Role } from './access.ts'
import { sessionHeaders } from './caller.ts'
import { buildServer } from './server.ts'

const adminKey = 'only-the-operator-has-this-key'.padEnd(40, '!')
const shared = sharedService({
  ...misbehaving,
  adminKey,
  metrics: true,
  offline: true,
  oidcIssuer: 'https://login.example',
  oidcClientId: 'refile',
  publicUrl: 'https://refile.example',
})

/** Who asks, by how. */
type Asker = 'nobody' | 'key' | 'member' | 'owner' | 'operator'

/** A server with all routes, also those of the page. */
async function asking() {
  const { services, key } = shared()
  const at = { host: '127.0.0.1', port: 0 }
  const server = await buildServer(services, () => at, import.meta.dirname)
  onTestFinished(() => server.close())
  const url = await server.listen(at)
  at.port = Number(new URL(url).port)
  const sessionOf = async (accountId: string, role: SessionRole) =>
    sessionHeaders(new URL(url).host, await services.sessions.start({ accountId, role }))
  const member = await services.accounts.create('Member')
  const headers: Record<Asker, Record<string, string>> = {
    nobody: {},
    key: { 'x-service-api-key': key },
    member: await sessionOf(member.id, 'member'),
    owner: await sessionOf((await services.accounts.owner()).id, 'owner'),
    operator: { 'x-service-api-key': adminKey },
  }
  /** The status, and the code of a refusal. */
  const ask = async (asker: Asker, route: string, body?: object) => {
    const [method = '', path = ''] = route.split(' ')
    const stop = new AbortController()
    const answer = await fetch(`${url}${path.replaceAll(/:\w+/g, 'none')}`, {
      method,
      headers: { ...headers[asker], ...(body && { 'content-type': 'application/json' }) },
      redirect: 'manual',
      signal: stop.signal,
      ...(body && { body: JSON.stringify(body) }),
    })
    const error = answer.status < 400 ? '' : (/^\{"error":"([\w.]+)"/.exec(await answer.text())?.[1] ?? '')
    // Some answers never end.
    stop.abort()
    return [answer.status, error].filter(Boolean).join(' ')
  }
  return { server, ask }
}

const noKey = '401 api_key.invalid_or_ip_not_allowed'
const noSession = '401 session.required'
/** What each role answers those whom it is not for; the others never get one of these answers. */
const refusals: Record<Role, Partial<Record<Asker, string>>> = {
  anyone: {},
  link: { nobody: noKey, operator: noKey },
  account: { nobody: noKey, operator: noKey },
  // In the words of the services whose clients they are.
  program: { nobody: '401', operator: '401', member: '401', owner: '401' },
  member: { nobody: noSession, key: noSession, operator: noSession },
  owner: { nobody: noSession, key: noSession, operator: noSession, member: '404 request.not_found' },
  operator: { nobody: noKey, key: noKey, member: noKey, owner: noKey },
}

/** Whom the first part of an address is for, of those whose routes are not public. */
const rolesOf: Record<string, Role[]> = {
  admin: ['operator'],
  app: ['member', 'owner'],
  convert: ['account', 'link'],
  ...{ gotenberg: ['program'], tika: ['program'], v1: ['program'] },
}
/** What anybody may ask. */
const isPublic = /^GET .*\/(health|version|tika)$/

test('every route answers those it is for, and nobody else', async () => {
  const { server, ask } = await asking()
  const askers: Asker[] = ['nobody', 'key', 'operator', 'member', 'owner']
  // What is the machine's, whatever the routes say.
  const ofMachine =
    /\/app\/(folders|saved|watch|accounts|about|encoders|notice)\b|top-up|\/save$|(POST|DELETE) \/app\/(models|packs)\b|\/admin/
  expect(server.roles.size).toBeGreaterThan(100)
  for (const [route, role] of server.roles) {
    if (ofMachine.test(route)) expect(['owner', 'operator'], route).toContain(role)
    const [, place = ''] = route.split('/')
    if (!isPublic.test(route)) expect(rolesOf[place] ?? ['anyone'], route).toContain(role)
    for (const asker of askers) {
      const refusal = refusals[role][asker]
      // What the others may do is not done here: each route's own tests do.
      if (refusal) expect(await ask(asker, route), `${route} for ${asker}`).toBe(refusal)
      else if (route.startsWith('GET '))
        expect(await ask(asker, route), `${route} for ${asker}`).not.toMatch(/^40[13] /)
    }
  }
})

test('every route of the page is called by the page, the shell or a command', async () => {
  const { server } = await asking()
  const root = join(import.meta.dirname, '../../..')
  const files = globSync('{renderer,electron,cli,service/host}/**/*.{ts,tsx}', { cwd: root })
  const sourceOf = (isWanted: (file: string) => boolean) =>
    files
      .filter(file => !/\.test\.|\btest\b/.test(file) && isWanted(file))
      .map(file => readFileSync(join(root, file), 'utf8'))
      .join('\n')
      // The same lines ask for models and for packs.
      .replaceAll(/(?<=`)\$\{path\}|\/app\/(\$\{kind\}|packs)/g, '/app/models')
  const isClient = (file: string) => file.replaceAll('\\', '/') === 'renderer/api/client.ts'
  const [client, others] = [sourceOf(isClient), sourceOf(file => !isClient(file))]
  const uncalled = [...server.roles.keys()].filter(route => {
    const [method = '', path = ''] = route.replace('/app/packs', '/app/models').split(' ')
    // Answers name the files of previews.
    if (!path.startsWith('/app/') || path.startsWith('/app/preview/files/')) return false
    const address = path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '\\$\\{[^/]*\\}')
    const named = `['"\`]${address}(?:['"\`?]|\\$\\{)`
    return !new RegExp(`'${method}',\\s*${named}`).test(client) && !new RegExp(named).test(others)
  })
  expect(uncalled).toEqual([])
})

test('a route without a role keeps the service from starting', async () => {
  const server = await buildServer(shared().services, () => ({ host: '127.0.0.1', port: 80 }), undefined)
  expect(() => server.get('/app/everything', async () => 'secret')).toThrow('GET /app/everything has no role')
})

test('members name neither files nor folders of the host, in any way', async () => {
  const { ask } = await asking()
  const saving = { name: '', keepFolders: false, keepDates: false, taken: 'number' }
  const folder = { kind: 'folder', folder: '/tmp', ...saving }
  const batch = { fileIds: ['none'], targetFormat: 'webp' }
  const named: Record<string, object[]> = {
    'POST /app/files': [{ path: '/etc/hostname' }],
    'POST /app/batches': [
      { ...batch, destination: { kind: 'folder', path: '/tmp' } },
      { ...batch, destination: { kind: 'beside' } },
    ],
    'POST /app/destinations/check': [{ saveTo: folder }, { saveTo: { ...folder, kind: 'beside' } }],
    'PUT /app/settings/destination': [folder],
  }
  for (const [route, bodies] of Object.entries(named)) {
    for (const body of bodies) {
      expect(await ask('member', route, body), route).toBe(['403', 'session.not_owner'].join(' '))
      expect(await ask('owner', route, body), route).not.toMatch(/^403/)
    }
  }
  // What stays with the service is theirs.
  expect(await ask('member', 'PUT /app/settings/destination', { ...folder, kind: 'keep' })).toBe('200')
  expect(await ask('member', 'POST /app/batches', { ...batch, destination: { kind: 'keep' } })).toBe(
    '400 request.no_files',
  )
})
