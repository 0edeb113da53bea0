import { execFileSync } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { workerEnvironment } from './environment.ts'

const config = {
  ffmpeg: null,
  home: join('/home', 'refile'),
  models: null,
  resources: null,
  slots: 2,
  offline: false,
  fetchPacks: true,
}

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

test.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'a user whom the system does not know has a home in the data folder',
  () => {
    const script = `const { workerEnvironment } = await import(${JSON.stringify(join(import.meta.dirname, 'environment.ts'))})
      console.log(workerEnvironment(${JSON.stringify(config)}, undefined, '/tmp').HOME)`
    const words = [
      '--reuid=54321',
      '--regid=54321',
      '--clear-groups',
      process.execPath,
      '--input-type=module',
      '-e',
      script,
    ]
    const { HOME: _, ...env } = process.env
    expect(execFileSync('setpriv', words, { encoding: 'utf8', env }).trim()).toBe(config.home)
  },
)
