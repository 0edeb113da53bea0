import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { propose } from './propose.ts'

let folder: string
const git = (cwd: string, ...args: string[]) => execFileSync('git', args, { cwd, encoding: 'utf8' })

/** A program in place of GitHub's: a fork is a clone of an empty repository in `folder`. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'refile-propose-test-'))
  mkdirSync(join(folder, 'bin'))
  const gh = join(folder, 'bin', 'gh')
  writeFileSync(
    gh,
    `#!/bin/sh
echo "$GH_TOKEN $*" >> ${folder}/called
case "$1 $2" in
  'repo fork')
    name=$(basename "$3")
    git init -q --bare "${folder}/$name.git"
    git clone -q "${folder}/$name.git" "$name" 2>/dev/null ;;
  'pr create') echo "https://github.com/$4/pull/1" ;;
esac
`,
  )
  chmodSync(gh, 0o755)
  vi.stubEnv('PATH', `${join(folder, 'bin')}${delimiter}${process.env.PATH}`)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

test('each repository is asked to take its manifests, on a branch of the version', () => {
  const manifests = {
    'winget/Refile.Refile.yaml': 'one',
    'winget/Refile.Refile.installer.yaml': 'two',
    'homebrew/refile.rb': 'cask',
    'scoop/refile.json': '{}',
    'flatpak/io.github.refile.yml': 'id: x',
    'aur/PKGBUILD': 'pkgname',
  }
  expect(propose('1.2.0', manifests, 'a-token')).toEqual(
    [
      'microsoft/winget-pkgs',
      'Homebrew/homebrew-cask',
      'ScoopInstaller/Extras',
      'flathub/io.github.refile',
    ].map(name => `https://github.com/${name}/pull/1`),
  )
  const pushed = (name: string) => {
    const repository = join(folder, `${name}.git`)
    const files = git(repository, 'ls-tree', '-r', '--name-only', 'refile-1.2.0').trim().split('\n')
    return Object.fromEntries(files.map(file => [file, git(repository, 'show', `refile-1.2.0:${file}`)]))
  }
  expect(pushed('winget-pkgs')).toEqual({
    'manifests/r/Refile/Refile/1.2.0/Refile.Refile.yaml': 'one',
    'manifests/r/Refile/Refile/1.2.0/Refile.Refile.installer.yaml': 'two',
  })
  expect(pushed('homebrew-cask')).toEqual({ 'Casks/r/refile.rb': 'cask' })
  expect(pushed('Extras')).toEqual({ 'bucket/refile.json': '{}' })
  expect(pushed('io.github.refile')).toEqual({ 'io.github.refile.yml': 'id: x' })
  const called = readFileSync(join(folder, 'called'), 'utf8').trim().split('\n')
  expect(called.every(line => line.startsWith('a-token '))).toBe(true)
})

test('without a token nothing is proposed', () => {
  const script = join(import.meta.dirname, 'propose.ts')
  const env = { ...process.env, MANIFESTS_TOKEN: '' }
  execFileSync(process.execPath, [script], { env, stdio: 'pipe' })
  expect(() => readFileSync(join(folder, 'called'))).toThrow('ENOENT')
})
