import { once } from 'node:events'
import { mkdtemp, open, readFile, realpath, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, onTestFinished, test } from 'vitest'

const GIGABYTE = 2 ** 30

test('a file of 2 GB is sent without being held in memory', { timeout: 180_000 }, async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'refile-mcp-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = await open(join(folder, 'big.zip'), 'w')
  await file.truncate(2 * GIGABYTE)
  await file.close()

  // A service that counts what it gets and then refuses it.
  let received = 0
  const upstream = createServer((request, answer) => {
    request.on('data', chunk => {
      received += chunk.length
    })
    request.on('end', () => {
      const isUpload = request.method === 'POST'
      answer.writeHead(isUpload ? 400 : 200, { 'content-type': 'application/json' })
      const refusal = { error: 'request.invalid_extension', detail: 'It is empty inside.' }
      const catalogue = { conversions: [], sourceFormatTo: {}, maxConcurrentJobs: 1 }
      answer.end(JSON.stringify(isUpload ? refusal : catalogue))
    })
  })
  await once(upstream.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void upstream.close())

  const client = new Client({ name: 'test', version: '1' })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(import.meta.dirname, '..', 'main.ts'), 'mcp', '--allow', folder],
    env: {
      PATH: process.env.PATH ?? '',
      REFILE_URL: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`,
    },
  })
  await client.connect(transport)
  onTestFinished(() => client.close())
  const call = { name: 'convert_file', arguments: { path: 'big.zip', to: 'tar' } }
  const answer = await client.callTool(call, { timeout: 170_000 })
  expect(answer.structuredContent).toMatchObject({ error: { code: 'request.invalid_extension' } })
  expect(received).toBeGreaterThan(2 * GIGABYTE)
  const [, peak] = /^VmHWM:\s+(\d+) kB$/m.exec(await readFile(`/proc/${transport.pid}/status`, 'utf8')) ?? []
  expect(Number(peak) * 1024).toBeGreaterThan(0)
  expect(Number(peak) * 1024).toBeLessThan(GIGABYTE / 2)
})
