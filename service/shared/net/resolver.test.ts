import { expect, test } from 'vitest'
import { dnsServer } from '../../../testing/dns.ts'
import { nameResolver } from './resolver.ts'

const nobody = () => Promise.reject(new Error('not asked'))

test('names that are never answered keep no other waiting', async () => {
  const server = await dnsServer(name => (name.startsWith('slow') ? 'silence' : ['93.184.215.14']))
  const resolve = nameResolver({ servers: [server.address], system: nobody, timeoutMs: 1000 })
  const slow = Array.from({ length: 16 }, (_, index) => resolve(`slow${index}.example`))
  const all = Promise.allSettled(slow)
  const began = performance.now()
  await expect(resolve('files.example')).resolves.toEqual([{ address: '93.184.215.14', family: 4 }])
  expect(performance.now() - began).toBeLessThan(700)
  // They were asked for, and end by themselves.
  expect((await all).map(({ status }) => status)).toEqual(slow.map(() => 'rejected'))
  expect(new Set(server.asked).size).toBe(17)
  expect(performance.now() - began).toBeLessThan(1900)
})

test('what the name servers do not know is left to the machine, for one name after the other', async () => {
  const server = await dnsServer(() => 'unknown')
  const answers: ((found: { address: string; family: number }[]) => void)[] = []
  const askedOfSystem: string[] = []
  const resolve = nameResolver({
    servers: [server.address],
    system: host => {
      askedOfSystem.push(host)
      return new Promise(answered => answers.push(answered))
    },
    timeoutMs: 500,
  })
  const found = [{ address: '93.184.215.14', family: 4 }]
  const first = [resolve('in-hosts.example'), resolve('in-hosts.example')]
  await expect.poll(() => askedOfSystem).toEqual(['in-hosts.example'])
  const second = resolve('other.example')
  await expect.poll(() => new Set(server.asked).size).toBe(2)
  await new Promise(wait => setTimeout(wait, 50))
  expect(askedOfSystem).toEqual(['in-hosts.example'])
  answers[0]!(found)
  expect(await Promise.all(first)).toEqual([found, found])
  await expect.poll(() => askedOfSystem).toEqual(['in-hosts.example', 'other.example'])
  // Whose turn does not come in time has the answer of the name servers, and is not asked for later.
  await expect(resolve('third.example')).rejects.toMatchObject({ code: 'ENOTFOUND' })
  answers[1]!(found)
  expect(await second).toEqual(found)
  expect(askedOfSystem).toHaveLength(2)
})

test('a name is asked for as it is, without the search domains of the machine', async () => {
  const server = await dnsServer(() => 'unknown')
  const resolve = nameResolver({ servers: [server.address], system: nobody })
  await expect(resolve('intranet')).rejects.toThrow()
  expect(new Set(server.asked)).toEqual(new Set(['intranet']))
})
