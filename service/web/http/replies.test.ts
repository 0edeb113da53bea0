import fastify from 'fastify'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { shuttingDown } from '../../sandbox/workers/worker.ts'
import { answerErrors } from './replies.ts'
import type { Routes } from './schema.ts'

test('a request whose worker ends with the service is answered 503, and is no error of the log', async () => {
  const lines: string[] = []
  const app: Routes = fastify()
  answerErrors(app, pino({}, { write: line => void lines.push(line) }))
  app.get('/interrupted', () => {
    throw shuttingDown()
  })
  app.get('/broken', () => {
    throw new Error('a fault of ours')
  })
  const interrupted = await app.inject('/interrupted')
  expect(interrupted.statusCode).toBe(503)
  expect(interrupted.headers['retry-after']).toBeDefined()
  expect(interrupted.json()).toEqual({ error: 'server.unavailable', detail: 'Refile is shutting down.' })
  expect(lines).toEqual([])
  expect((await app.inject('/broken')).statusCode).toBe(500)
  expect(lines).toHaveLength(1)
})
