import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { testFull } from '../../testing/describe-full.ts'
import { misbehaving } from '../../testing/misbehaving.ts'
import { hasPostgres, postgresStores, startPostgres } from '../../testing/servers/postgres.ts'
import { testService } from '../../testing/service.ts'
import { loadConfig } from '../shared/config.ts'
import { settings } from '../shared/settings/table.ts'
import { LIMITS, submitted } from '../store/contract/fixtures.ts'

const root = join(import.meta.dirname, '../..')
const docs = (name: string) => readFileSync(join(root, 'docs/kubernetes', name), 'utf8')

/** As much of the objects as is compared. */
interface Named {
  name: string
  value: string
}
interface Probe {
  httpGet: { path: string; port: number; httpHeaders: Named[] }
}
interface Item {
  kind: string
  metadata: { name: string }
  data: Record<string, string>
  // biome-ignore lint/suspicious/noExplicitAny: a specification of any kind of object
  spec: any
}

describe('the manifests', () => {
  const { items } = parse(docs('refile.yaml')) as { items: Item[] }
  const of = (kind: string) => items.filter(item => item.kind === kind)
  const [{ data: common } = { data: {} as Record<string, string> }] = of('ConfigMap')
  const secret = {
    REFILE_DATABASE_URL: 'postgres://refile:password@database/refile',
    REFILE_SECRETS_KEY: Buffer.alloc(32).toString('base64'),
    REFILE_BLOBS: 's3://bucket?region=eu-west-1',
  }
  const pods = of('Deployment').map(({ metadata, spec }) => {
    const [container] = spec.template.spec.containers
    const own = Object.fromEntries(container.env.map(({ name, value }: Named) => [name, value]))
    return {
      name: metadata.name,
      labels: spec.template.metadata.labels,
      spec: spec.template.spec,
      container,
      own,
    }
  })

  test('set what the service knows, and leave it more time than it drains', () => {
    const known = Object.values(settings).map(({ variable }) => variable)
    for (const { name, own, spec, container } of pods) {
      const environment = { ...common, ...secret, ...own }
      expect(known, name).toEqual(expect.arrayContaining(Object.keys(environment)))
      const { role, drainSeconds } = loadConfig({}, environment)
      expect(name).toBe(`refile-${role}`)
      const pause = Number(container.lifecycle?.preStop.exec.command[1] ?? 0)
      expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(drainSeconds + pause)
    }
  })

  test('run the image as it is built: as no one, read-only but for two folders', () => {
    const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8')
    for (const { spec, container } of pods) {
      const { runAsUser, runAsGroup } = spec.securityContext
      expect(dockerfile).toContain(`\nUSER ${runAsUser}:${runAsGroup}\n`)
      expect(container.securityContext.readOnlyRootFilesystem).toBe(true)
      const paths = container.volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath)
      expect(paths).toEqual([/REFILE_HOME=(\S+)/.exec(dockerfile)?.[1], '/tmp'])
      for (const { containerPort } of container.ports ?? [])
        expect(dockerfile).toContain(`\nEXPOSE ${containerPort}\n`)
    }
  })

  test('select the pods that are meant', () => {
    for (const { spec, metadata } of [...of('Service'), ...of('PodDisruptionBudget')]) {
      const selected = pods.filter(({ labels }) =>
        Object.entries(spec.selector.matchLabels ?? spec.selector).every(
          ([label, value]) => labels[label] === value,
        ),
      )
      expect(
        selected.map(({ name }) => name),
        metadata.name,
      ).toEqual(['refile-api'])
    }
    for (const { spec } of of('ScaledObject'))
      expect(pods.map(({ name }) => name)).toContain(spec.scaleTargetRef.name)
  })

  test('ask for health as the service answers it', async () => {
    const service = await testService(misbehaving)
    const probes: Probe[] = pods.flatMap(({ container }) =>
      [container.readinessProbe, container.livenessProbe].filter(Boolean),
    )
    expect(probes).toHaveLength(2)
    for (const { httpGet } of probes) {
      // Fetch sends no other Host; a name and port that are allowed here are those of the default.
      expect(httpGet.httpHeaders).toEqual([{ name: 'Host', value: `localhost:${httpGet.port}` }])
      expect((await fetch(`${service.url}${httpGet.path}`)).status).toBe(200)
    }
  })

  if (hasPostgres)
    testFull('count the jobs that wait or run, as many for a worker as it has slots', async () => {
      await using server = await startPostgres()
      const url = await server.createDatabase()
      await using stores = await postgresStores({ url, limits: LIMITS })
      const owner = await stores.accounts.owner({ name: 'Owner', credits: 500 })
      for (let n = 0; n < 3; n++) await submitted(stores, owner.id)
      await stores.jobs.cancel((await submitted(stores, owner.id)).id)
      await stores.jobs.claim({ owner: 'a', leaseMs: 60_000, saturated: [] })
      const [{ metadata }] = of('ScaledObject')[0]?.spec.triggers ?? []
      expect(secret).toHaveProperty(metadata.connectionFromEnv)
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      expect(Object.values((await client.query(metadata.query)).rows[0])).toEqual(['3'])
      await client.end()
      const worker = pods.find(({ own }) => own.REFILE_ROLE === 'worker')
      expect(metadata.targetQueryValue).toBe(worker?.own.REFILE_SLOTS)
    })
})

test('the board shows every metric, and only those that there are', async () => {
  const service = await testService({ ...misbehaving, metrics: true })
  const text = await (await fetch(`${service.url}/metrics`)).text()
  const there = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name)
  const { panels } = JSON.parse(docs('grafana.json')) as { panels: { targets: { expr: string }[] }[] }
  const shown = panels.flatMap(({ targets }) =>
    targets.flatMap(({ expr }) => [...expr.matchAll(/refile_\w+/g)].map(([name]) => name)),
  )
  const metrics = shown.map(name => name.replace(/_(bucket|count|sum)$/, ''))
  expect([...new Set(metrics), 'refile_info'].toSorted()).toEqual(there.toSorted())
})
