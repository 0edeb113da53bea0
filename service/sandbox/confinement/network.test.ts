import { execFile } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** Tries every network function of Node, and prints each result. */
const attempts = (port: number, module: string) => `
import { denyNetwork } from ${JSON.stringify(module)}
import { lookup as imported } from 'node:dns/promises'
import dgram from 'node:dgram'
import dns from 'node:dns'
import http from 'node:http'
import http2 from 'node:http2'
import net from 'node:net'
import tls from 'node:tls'
denyNetwork()
const settled = emitter => new Promise((resolve, reject) => {
  for (const event of ['connect', 'response', 'listening']) emitter.once(event, () => resolve('open'))
  emitter.once('error', reject)
})
const ways = {
  fetch: () => fetch('http://127.0.0.1:${port}'),
  http: () => settled(http.get('http://127.0.0.1:${port}')),
  http2: () => settled(http2.connect('http://127.0.0.1:${port}')),
  tcp: () => settled(net.connect(${port}, '127.0.0.1')),
  tls: () => settled(tls.connect(${port}, '127.0.0.1')),
  listen: () => settled(net.createServer().listen(0)),
  bind: () => settled(dgram.createSocket('udp4').bind(0)),
  datagram: () => new Promise((resolve, reject) =>
    dgram.createSocket('udp4').send('x', ${port}, '127.0.0.1', error => error ? reject(error) : resolve('sent'))),
  lookup: () => new Promise((resolve, reject) => dns.lookup('localhost', error => error ? reject(error) : resolve('found'))),
  promises: () => dns.promises.lookup('localhost'),
  imported: () => imported('localhost'),
  record: () => dns.promises.resolveMx('localhost'),
  resolver: () => new dns.promises.Resolver().resolve4('localhost'),
  reverse: () => dns.promises.reverse('127.0.0.1'),
}
const results = {}
for (const [name, way] of Object.entries(ways)) {
  try { await way(); results[name] = 'open' } catch (error) { results[name] = error.cause?.code ?? error.code }
}
// A pipe to a child process is no network.
const { execFileSync } = await import('node:child_process')
results.pipe = execFileSync(process.execPath, ['-e', 'process.stdin.pipe(process.stdout)'], { input: 'through' }).toString()
console.log(JSON.stringify(results))
process.exit()
`

test('no network function of Node works in a process without network, while pipes stay open', async () => {
  let contacts = 0
  const server = createServer((_, response) => response.end()).on('connection', () => contacts++)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const datagrams = createSocket('udp4').on('message', () => contacts++)
  datagrams.bind(port, '127.0.0.1')
  await once(datagrams, 'listening')
  try {
    const script = attempts(port, join(import.meta.dirname, 'network.ts'))
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
    const { pipe, ...ways } = JSON.parse(stdout) as Record<string, string>
    expect(pipe).toBe('through')
    expect(Object.keys(ways)).toHaveLength(14)
    expect(ways).toEqual(Object.fromEntries(Object.keys(ways).map(way => [way, 'EACCES'])))
    expect(contacts).toBe(0)
  } finally {
    server.close()
    datagrams.close()
  }
})
