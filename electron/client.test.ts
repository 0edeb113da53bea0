import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ServiceClient } from './client.ts'
import { ServiceDouble } from './test/service.ts'

let service: ServiceDouble
let client: ServiceClient
let folder: string

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'refile-client-'))
  service = await new ServiceDouble().start()
  service.answer = (_, response) => void response.end('output')
  client = new ServiceClient(service)
})

afterEach(async () => {
  await service.close()
  rmSync(folder, { recursive: true, force: true })
})

const download = async () => text(await client.download('7'))

test('signs in once for many requests', async () => {
  expect(await Promise.all([download(), download(), download()])).toEqual(['output', 'output', 'output'])
  expect(service.linksIssued).toBe(1)
  expect(service.requests.map(request => request.path)).toEqual(Array(3).fill('/app/jobs/7/download'))
})

test('signs in again when its session has ended', async () => {
  await download()
  service.session = 'second'
  expect(await download()).toBe('output')
  expect(service.linksIssued).toBe(2)
})

test('sends a file again when the session ended meanwhile', async () => {
  await download()
  service.session = 'second'
  service.answer = (request, response) => void response.end(JSON.stringify({ bytes: request.body.length }))
  writeFileSync(join(folder, 'naïve.png'), 'x'.repeat(100_000))
  await client.stage(join(folder, 'naïve.png'))
  const sent = service.requests.at(-1)
  expect(sent).toMatchObject({ method: 'POST', path: '/app/files' })
  expect(sent?.body.toString()).toContain('filename="naïve.png"')
  expect(sent?.body.length).toBeGreaterThan(100_000)
})

test("passes the service's reason on", async () => {
  service.answer = (_, response) => void response.writeHead(410).end('{"detail":"The output has expired."}')
  await expect(download()).rejects.toMatchObject({ name: 'ShellProblem', message: 'The output has expired.' })
})

test('says what it can of an answer without a reason', async () => {
  service.answer = (_, response) => void response.writeHead(502).end('<html>')
  await expect(download()).rejects.toThrow('502')
})

test('gives up when the new session is refused as well', async () => {
  service.answer = (_, response) => void response.writeHead(401).end('{"detail":"Open Refile again."}')
  await expect(download()).rejects.toThrow('Open Refile again.')
  expect(service.linksIssued).toBe(2)
})
