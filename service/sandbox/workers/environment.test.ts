import { delimiter, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { workerEnvironment } from './environment.ts'

const config = { ffmpeg: null, home: join('/home', 'refile'), models: null, resources: null, slots: 2 }

test('workers look for models in the download folder and in the configured one', () => {
  const own = join(config.home, 'models')
  expect(workerEnvironment(config, undefined, '/tmp').REFILE_MODELS).toBe(own)
  expect(workerEnvironment({ ...config, models: '/given' }, undefined, '/tmp').REFILE_MODELS).toBe(
    [own, '/given'].join(delimiter),
  )
})

test('workers get only the environment variables they need', () => {
  vi.stubEnv('REFILE_SECRET', 'secret')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret')
  expect(Object.values(workerEnvironment(config, '/resources', '/tmp'))).not.toContain('secret')
  vi.unstubAllEnvs()
})
