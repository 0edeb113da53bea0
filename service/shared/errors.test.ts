import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { asJobFailure, JobFailure, jobFailureCodes, RequestError, requestErrors } from './errors.ts'
import { message } from './messages/message.ts'

const tests = readdirSync(join(import.meta.dirname, '..'), { recursive: true, encoding: 'utf8' })
  .filter(name => /(?<!\.full|shared[\\/]errors)\.test\.ts$/.test(name))
  .map(name => readFileSync(join(import.meta.dirname, '..', name), 'utf8'))
  .join('\n')

test.each([...Object.keys(requestErrors), ...jobFailureCodes])('%s is covered by some test', code => {
  expect(tests).toContain(`'${code}'`)
})

test('a failure message fits into a webhook', () => {
  expect(
    new JobFailure('jobs.timeout', message('stored.text', { text: 'x'.repeat(1000) })).detail,
  ).toHaveLength(256)
})

test('a request error carries its status', () => {
  expect(new RequestError('jobs.expired')).toMatchObject({ status: 410, reason: { key: 'jobs.expired' } })
})

test('a full disk is distinguished from other errors', () => {
  expect(asJobFailure(Object.assign(new Error(), { code: 'ENOSPC' }))).toMatchObject({
    code: 'jobs.disk_full',
  })
  const other = new Error('other')
  expect(asJobFailure(other)).toBe(other)
})
