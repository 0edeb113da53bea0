import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ServiceClient } from './client.ts'
import { ServiceDouble } from './test/service.ts'

let service: ServiceDouble
let client: ServiceClient

beforeEach(async () => {
  service = await new ServiceDouble().start()
  service.answer = (_, response) => void response.end('output')
  client = new ServiceClient(service)
})

afterEach(async () => {
  await service.close()
})

const download = async () => text(await client.download('7'))

test('signs in once for many requests', async () => {
  expect(await Promise.all([download(), download(), download()])).toEqual(['output', 'output', 'output'])
  expect(service.linksIssued).toBe(1)
  expect(service.requests.map(request => request.path)).toEqual(Array(3).fill('/convert/job/7/download'))
})

test('signs in again after a failure', async () => {
  const { url } = service
  let isAway = true
  const shell = new ServiceClient({
    url,
    openUrl: async () => {
      if (isAway) throw new Error('The service is busy.')
      return service.openUrl()
    },
  })
  await expect(shell.download('7')).rejects.toThrow('busy')
  isAway = false
  expect(await text(await shell.download('7'))).toBe('output')
})

test('signs in again when its session has ended', async () => {
  await download()
  service.session = 'second'
  expect(await download()).toBe('output')
  expect(service.linksIssued).toBe(2)
})

test('names a file by its path, and again if the session ended meanwhile', async () => {
  await download()
  service.session = 'second'
  service.answer = (_, response) => void response.end('{"id":"1"}')
  expect(await client.stage('/home/me/naïve.png')).toEqual({ id: '1' })
  const sent = service.requests.at(-1)
  expect(sent).toMatchObject({
    method: 'POST',
    path: '/app/files',
    headers: { 'content-type': 'application/json' },
  })
  expect(JSON.parse(sent?.body.toString() ?? '')).toEqual({ path: '/home/me/naïve.png' })
})

test("passes the service's reason on", async () => {
  service.answer = (_, response) =>
    void response.writeHead(410).end('{"error":"jobs.gone","detail":"The output has expired."}')
  await expect(download()).rejects.toMatchObject({ name: 'ShellProblem', message: 'The output has expired.' })
})

test('reports an answer without a reason as well as possible', async () => {
  service.answer = (_, response) => void response.writeHead(502).end('<html>')
  await expect(download()).rejects.toThrow('502')
})

test('gives up if the new session is refused as well', async () => {
  service.answer = (_, response) =>
    void response.writeHead(401).end('{"error":"jobs.gone","detail":"Open Refile again."}')
  await expect(download()).rejects.toThrow('Open Refile again.')
  expect(service.linksIssued).toBe(2)
})
