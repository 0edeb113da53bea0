import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryFolder } from '../temporary.ts'
import { manifestsOf } from './manifests.ts'
import { step, version } from './step.ts'

/** A repository that takes manifests by pull request, and where in it they lie. */
interface Taker {
  repository: string
  title: string
  /** Folder of our manifests whose files are proposed. */
  folder: string
  place: (version: string) => string
}

/** AUR takes pushes instead of pull requests: its PKGBUILD is sent by hand (docs/release.md). */
const takers: readonly Taker[] = [
  {
    repository: 'microsoft/winget-pkgs',
    title: 'New version: Refile.Refile version',
    folder: 'winget',
    place: version => `manifests/r/Refile/Refile/${version}`,
  },
  {
    repository: 'Homebrew/homebrew-cask',
    title: 'refile',
    folder: 'homebrew',
    place: () => 'Casks/r',
  },
  {
    repository: 'ScoopInstaller/Extras',
    title: 'refile: Update to version',
    folder: 'scoop',
    place: () => 'bucket',
  },
  { repository: 'flathub/io.github.refile', title: 'Update to', folder: 'flatpak', place: () => '.' },
]

/**
 * Opens a pull request with the manifests of a published release in each repository that takes them.
 * @param manifests texts by path, as `manifestsOf` makes them
 * @returns addresses of the pull requests
 */
export function propose(version: string, manifests: Record<string, string>, token: string): string[] {
  const env = { ...process.env, GH_TOKEN: token }
  return takers.map(({ repository, title, folder, place }) => {
    using temporary = temporaryFolder('propose')
    const run = (cwd: string, program: string, ...args: string[]) =>
      execFileSync(program, args, {
        cwd,
        env,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'inherit'],
      }).trim()
    // Without the contents of its many other files.
    const clone = ['--', '--depth=1', '--filter=blob:none', '--sparse']
    run(temporary.path, 'gh', 'repo', 'fork', repository, '--default-branch-only', '--clone', ...clone)
    const checkout = join(temporary.path, repository.split('/')[1] ?? '')
    const branch = `refile-${version}`
    run(checkout, 'git', 'checkout', '-q', '-b', branch)
    for (const [path, text] of Object.entries(manifests)) {
      if (!path.startsWith(`${folder}/`)) continue
      const file = join(place(version), path.slice(folder.length + 1))
      mkdirSync(join(checkout, dirname(file)), { recursive: true })
      writeFileSync(join(checkout, file), text)
      run(checkout, 'git', 'add', '--sparse', file)
    }
    const what = `${title} ${version}`
    const author = ['-c', 'user.name=Refile', '-c', 'user.email=refile@users.noreply.github.com']
    run(checkout, 'git', ...author, 'commit', '-q', '-m', what)
    run(checkout, 'gh', 'auth', 'setup-git')
    run(checkout, 'git', 'push', '-q', 'origin', branch)
    const body = 'Written by the release workflow from the sums of the release.'
    return run(checkout, 'gh', 'pr', 'create', '--repo', repository, '--title', what, '--body', body)
  })
}

if (import.meta.main)
  await step(() => {
    const token = process.env.MANIFESTS_TOKEN
    if (!token) return 'There is no MANIFESTS_TOKEN: nothing is proposed.'
    using folder = temporaryFolder('sums')
    const args = ['release', 'download', `v${version}`, '--pattern', 'SHA256SUMS', '--dir', folder.path]
    execFileSync('gh', args, { stdio: 'inherit', env: { ...process.env, GH_TOKEN: token } })
    return propose(
      version,
      manifestsOf(version, readFileSync(join(folder.path, 'SHA256SUMS'), 'utf8')),
      token,
    ).join('\n')
  })
