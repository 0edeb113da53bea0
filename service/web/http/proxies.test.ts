import { expect, test } from 'vitest'
import { misbehaving } from '../../../testing/misbehaving.ts'
import { sharedService, type TestService, testService } from '../../../testing/service.ts'
import { SettingError } from '../../shared/config.ts'
import { settings } from '../../shared/settings/table.ts'

const PATH = '/convert/entitlements/me'
const behind = sharedService({ ...misbehaving, trustedProxies: ['127.0.0.0/8'], rateLimit: 5 })

const keyFor = async ({ services }: TestService, ipAllowlist: string[]) => {
  const { id } = await services.accounts.owner()
  return (await services.keys.create(id, { name: 'locked', ipAllowlist })).secret
}

const statusFrom = async (service: TestService, key: string, forwarded: string) =>
  (await service.call(PATH, { key, headers: { 'x-forwarded-for': forwarded } })).status

test('an allow-list is for the caller that a trusted proxy names', async () => {
  const key = await keyFor(behind(), ['203.0.113.0/24'])
  expect(await statusFrom(behind(), key, '203.0.113.7')).toBe(200)
  expect(await statusFrom(behind(), key, '198.51.100.1')).toBe(401)
  // What the caller claims stands before what the proxy adds; and a trusted proxy may be behind another.
  expect(await statusFrom(behind(), key, '203.0.113.7, 198.51.100.2')).toBe(401)
  expect(await statusFrom(behind(), key, '198.51.100.3, 203.0.113.7, 127.0.0.9')).toBe(200)
  for (const nonsense of ['nobody', '203.0.113.7:99', '999.1.1.1', '']) {
    expect(await statusFrom(behind(), key, nonsense)).toBe(401)
  }
})

test('nobody else is believed', async () => {
  const direct = await testService({ ...misbehaving, trustedProxies: ['10.0.0.0/8'] })
  const key = await keyFor(direct, ['203.0.113.7'])
  expect(await statusFrom(direct, key, '203.0.113.7')).toBe(401)
  expect(await statusFrom(direct, await keyFor(direct, ['127.0.0.1']), '203.0.113.7')).toBe(200)
})

test('the rate limit counts each caller', async () => {
  const statuses = (address: string) =>
    Promise.all(Array.from({ length: 15 }, () => statusFrom(behind(), behind().key, address)))
  expect(await statuses('192.0.2.1')).toContain(429)
  expect((await statuses('192.0.2.2')).filter(status => status === 200).length).toBeGreaterThan(5)
})

test('the session is for TLS only where the page is under TLS', async () => {
  const cookieUnder = async (protocol: string) => {
    const opened = await fetch(await behind().openUrl(), {
      redirect: 'manual',
      headers: { 'x-forwarded-proto': protocol, 'x-forwarded-for': '192.0.2.9' },
    })
    return opened.headers.get('set-cookie')
  }
  expect(await cookieUnder('https')).toMatch(/; HttpOnly; SameSite=Strict; Path=\/; Secure$/)
  expect(await cookieUnder('http')).toMatch(/; Path=\/$/)
})

test('the setting takes addresses and ranges', () => {
  const { read } = settings.trustedProxies
  expect(read('10.0.0.0/8, ::1,2001:db8::/32')).toEqual(['10.0.0.0/8', '::1', '2001:db8::/32'])
  for (const wrong of ['proxy.example', '10.0.0.0/33', '1.2.3'])
    expect(() => read(wrong)).toThrow(SettingError)
})
