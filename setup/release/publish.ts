import { execFileSync } from 'node:child_process'
import { copyFileSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { out, step, version } from './step.ts'

/** Creates the release as a draft, which a person reviews and publishes. GH_TOKEN has to be set. */
await step(() => {
  for (const name of ['PROVENANCE', 'SBOM']) {
    const bundle = process.env[`${name}_BUNDLE`]
    if (!bundle) throw new Error(`There is no attestation ${name}.`)
    copyFileSync(bundle, join(out, `${name.toLowerCase()}.sigstore.json`))
  }
  const files = globSync('*', { cwd: out, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name !== 'NOTES.md')
    .map(entry => join(out, entry.name))
  const args = ['release', 'create', `v${version}`, '--draft', '--verify-tag', '--title', `Refile ${version}`]
  execFileSync('gh', [...args, '--notes-file', join(out, 'NOTES.md'), ...files], { stdio: 'inherit' })
})
