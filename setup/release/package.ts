import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repository, step } from './step.ts'

type Secrets = Record<string, string | undefined>

/** Signing of a system: taken if all its secrets are there. Otherwise the build is unsigned, and docs/install.md says how to start it. */
const signing: Partial<
  Record<NodeJS.Platform, { secrets: readonly string[]; use: (secrets: Secrets) => Signing }>
> = {
  darwin: {
    secrets: [
      'MAC_CERTIFICATE',
      'MAC_CERTIFICATE_PASSWORD',
      'APPLE_API_KEY_P8',
      'APPLE_API_KEY_ID',
      'APPLE_API_ISSUER',
    ],
    use: secrets => {
      const key = join(process.env.RUNNER_TEMP ?? tmpdir(), 'apple-api-key.p8')
      writeFileSync(key, secrets.APPLE_API_KEY_P8 ?? '', { mode: 0o600 })
      return {
        args: ['-c.mac.notarize=true', '-c.forceCodeSigning=true'],
        env: {
          CSC_LINK: secrets.MAC_CERTIFICATE,
          CSC_KEY_PASSWORD: secrets.MAC_CERTIFICATE_PASSWORD,
          APPLE_API_KEY: key,
          APPLE_API_KEY_ID: secrets.APPLE_API_KEY_ID,
          APPLE_API_ISSUER: secrets.APPLE_API_ISSUER,
        },
      }
    },
  },
  win32: {
    secrets: [
      'AZURE_TENANT_ID',
      'AZURE_CLIENT_ID',
      'AZURE_CLIENT_SECRET',
      'AZURE_SIGNING_ENDPOINT',
      'AZURE_SIGNING_ACCOUNT',
      'AZURE_SIGNING_PROFILE',
      'AZURE_SIGNING_PUBLISHER',
    ],
    use: secrets => ({
      args: [
        `-c.win.azureSignOptions.endpoint=${secrets.AZURE_SIGNING_ENDPOINT}`,
        `-c.win.azureSignOptions.codeSigningAccountName=${secrets.AZURE_SIGNING_ACCOUNT}`,
        `-c.win.azureSignOptions.certificateProfileName=${secrets.AZURE_SIGNING_PROFILE}`,
        `-c.win.azureSignOptions.publisherName=${secrets.AZURE_SIGNING_PUBLISHER}`,
        '-c.forceCodeSigning=true',
      ],
      env: {},
    }),
  },
}

interface Signing {
  /** Arguments of electron-builder. */
  args: string[]
  env: Secrets
}

/** How to sign on this system with these secrets. Without all of them no certificate is looked for, not even in a keychain. */
export function signingFor(platform: NodeJS.Platform, env: Secrets): Signing {
  const way = signing[platform]
  const found = way?.secrets.filter(name => env[name]) ?? []
  if (!way || found.length === 0) return { args: [], env: { CSC_IDENTITY_AUTO_DISCOVERY: 'false' } }
  const missing = way.secrets.filter(name => !env[name])
  if (missing.length > 0) throw new Error(`To sign, these secrets are missing: ${missing.join(', ')}.`)
  return way.use(env)
}

/** Packages this system's build, publishing nothing, with a feed of updates unless it is complete. Further arguments are setup/package.ts's. */
export function packageRelease(further: readonly string[]): void {
  const [owner, repo] = repository.split('/')
  const { args, env } = signingFor(process.platform, process.env)
  const feed = ['-c.publish.provider=github', `-c.publish.owner=${owner}`, `-c.publish.repo=${repo}`]
  const script = join(import.meta.dirname, '..', 'package.ts')
  const { status } = spawnSync(
    process.execPath,
    [script, '--publish', 'never', ...(further.includes('--complete') ? [] : feed), ...args, ...further],
    { stdio: 'inherit', env: { ...process.env, ...env } },
  )
  if (status !== 0) throw new Error('electron-builder failed.')
}

if (import.meta.main)
  await step(() => {
    for (const kind of [[], ['--complete']]) packageRelease([...kind, ...process.argv.slice(2)])
  })
