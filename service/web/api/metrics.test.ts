import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { begun } from '../../../testing/begun.ts'
import { testFull } from '../../../testing/describe-full.ts'
import { misbehaving } from '../../../testing/misbehaving.ts'
import { json, testService } from '../../../testing/service.ts'

/** Reads the text with the parser of Prometheus' own client for Python. */
const reader = `
import json, sys
from prometheus_client.parser import text_string_to_metric_families
families = list(text_string_to_metric_families(sys.stdin.read()))
print(json.dumps([[f.type, s.name, s.labels, s.value] for f in families for s in f.samples]))
`

/** All values, by name and values of labels. */
function valuesOf(text: string): Map<string, number> {
  const { stdout, stderr } = spawnSync('/usr/bin/python3', ['-c', reader], { input: text, encoding: 'utf8' })
  expect(stderr).toBe('')
  const samples = JSON.parse(stdout) as [string, string, Record<string, string>, number][]
  expect(new Set(samples.map(([type]) => type))).toEqual(new Set(['gauge', 'histogram', 'counter']))
  return new Map(
    samples.map(([, name, labels, value]) => [[name, ...Object.values(labels)].join(' '), value]),
  )
}

testFull('metrics count jobs, failures, workers and memory', async () => {
  const service = await testService({ ...misbehaving, metrics: true, slots: 1 })
  const run = async (text: string) => {
    const { id } = await json<{ id: string }>(service.submit('a.jpg', text, 'webp'))
    return service.finished(id)
  }
  await run('fine')
  await run('fine')
  await run('fail-with-cause')
  await run('segfault')
  const { id } = await json<{ id: string }>(service.submit('a.jpg', 'begin', 'webp'))
  await service.submit('a.jpg', 'sleep', 'webp')
  // A worker that is still being started has little memory.
  await begun(service.home, id)
  const read = async () => {
    const answer = await fetch(`${service.url}/metrics`)
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    return answer.text()
  }
  await expect.poll(read).toContain('refile_jobs{status="running"} 1\n')
  const page = await readFile(join(import.meta.dirname, '../../../docs/scale.md'), 'utf8')
  const names = [...(await read()).matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name!)
  expect(names.filter(name => !page.includes(`\`${name}`))).toEqual([])
  const values = valuesOf(await read())
  expect(values.get('refile_jobs queued')).toBe(1)
  expect([...values].find(([name]) => /^refile_queued_jobs \S+ jpg webp$/.test(name))?.[1]).toBe(1)
  expect([...values].find(([name]) => name.startsWith('refile_queue_seconds'))?.[1]).toBeGreaterThan(0)
  expect(values.get('refile_claim_duration_seconds_count')).toBeGreaterThanOrEqual(5)
  expect(values.get('refile_leases_lost_total')).toBe(0)
  expect(values.get('refile_storage_duration_seconds_count put')).toBeGreaterThanOrEqual(7)
  expect(values.get('refile_job_duration_seconds_count jpg webp')).toBe(2)
  expect(values.get('refile_job_duration_seconds_bucket jpg webp +Inf')).toBe(2)
  expect(values.get('refile_job_duration_seconds_bucket jpg webp 1800')).toBe(2)
  const seconds = values.get('refile_job_duration_seconds_sum jpg webp')
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThan(60)
  expect(values.get('refile_job_failures_total jobs.corrupt_input')).toBe(1)
  expect(values.get('refile_job_failures_total jobs.engine_crashed')).toBe(1)
  // The one that crashed was replaced.
  expect(values.get('refile_worker_starts_total')).toBeGreaterThan(values.get('refile_workers') ?? 0)
  for (const of of ['service', 'workers'])
    expect(values.get(`refile_memory_bytes ${of}`)).toBeGreaterThan(2 ** 24)
})

test('there are none unless asked for', async () => {
  const service = await testService(misbehaving)
  expect((await fetch(`${service.url}/metrics`)).status).toBe(404)
})
