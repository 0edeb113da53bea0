import { hostname, networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import { authorities, isOwn } from './hosts.ts'

const local = { host: '127.0.0.1', port: 7421 }
const own = (host: string, listening = local, allowed: string[] = []) =>
  authorities(host).some(authority => isOwn(authority, listening, allowed))

test("loopback has three names, with the service's own port", () => {
  for (const name of ['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]']) {
    expect(own(`${name}:7421`)).toBe(true)
    expect(own(name)).toBe(false)
    expect(own(`${name}:7422`)).toBe(false)
  }
})

test('on port 80, a name without a port is accepted, as browsers send it', () => {
  for (const host of ['127.0.0.1', '127.0.0.1:80', 'localhost', '[::1]']) {
    expect(own(host, { host: '127.0.0.1', port: 80 })).toBe(true)
  }
  expect(own('example.com', { host: '127.0.0.1', port: 80 })).toBe(false)
})

test.each(['0.0.0.0', '::', '192.0.2.7'])(
  'a service on %s answers to the addresses and names of the machine, and to no others',
  host => {
    const listening = { host, port: 7421 }
    const addresses = Object.values(networkInterfaces()).flatMap(found => found ?? [])
    for (const { address, family } of addresses) {
      expect(own(`${family === 'IPv6' ? `[${address}]` : address}:7421`, listening)).toBe(true)
    }
    expect(own(`${hostname()}:7421`, listening)).toBe(true)
    expect(own(`${hostname().toUpperCase()}.local:7421`, listening)).toBe(true)
    expect(own(`${host.includes(':') ? `[${host}]` : host}:7421`, listening)).toBe(true)
    for (const foreign of [
      'rebound.example.com:7421',
      '198.51.100.9:7421',
      `${hostname()}:80`,
      '',
      ':7421',
    ]) {
      expect(own(foreign, listening)).toBe(false)
    }
  },
)

test("on loopback, the machine's network names are foreign", () => {
  expect(own(`${hostname()}-x:7421`)).toBe(false)
  expect(own('192.0.2.7:7421')).toBe(false)
})

test("allowed names have the service's own port or the port they specify", () => {
  const allowed = ['Files.Example', 'Proxy.example:8080', 'plain.example:80', 'tls.example:443']
  expect(own('files.example:7421', local, allowed)).toBe(true)
  expect(own('files.example', local, allowed)).toBe(false)
  expect(own('proxy.example:8080', local, allowed)).toBe(true)
  expect(own('proxy.example:7421', local, allowed)).toBe(false)
  expect(own('plain.example', local, allowed)).toBe(true)
  expect(own('tls.example', local, allowed)).toBe(true)
  expect(own('tls.example:80', local, allowed)).toBe(false)
  expect(own('other.example:7421', local, allowed)).toBe(false)
})
