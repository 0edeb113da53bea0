import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createFileLog } from './log.ts'

test('a log that has grown is moved aside, in place of the one before', () => {
  const folder = mkdtempSync(join(tmpdir(), 'refile-log-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'refile.log')
  for (const bytes of [6_000_000, 7_000_000, 4_000_000]) {
    writeFileSync(path, '')
    truncateSync(path, bytes)
    createFileLog(path)
  }
  expect(readdirSync(folder).toSorted()).toEqual(['refile.log', 'refile.log.1'])
  expect(statSync(`${path}.1`).size).toBe(7_000_000)
})
