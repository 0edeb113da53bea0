import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { exitCode } from './exit-codes.ts'
import { describeProgram } from './program.ts'

const page = (name: string) => readFileSync(join(import.meta.dirname, '../docs', `${name}.md`), 'utf8')
const cli = page('cli')

const withInner = (command: Command): Command[] => [command, ...command.commands.flatMap(withInner)]
const all = withInner(describeProgram(() => {})).filter(command => !command.name().startsWith('__'))
const flags = new Set(all.flatMap(({ options }) => options.map(({ long }) => long ?? '')))

test('docs/cli.md has every command and flag, and no flag that there is not', () => {
  const [, ...commands] = all.map(command => command.name()).filter(name => name !== 'list')
  expect(commands.filter(name => !new RegExp(`\\b${name}\\b`).test(cli))).toEqual([])
  // Estimates have a flag for each measure, and help and the version are everywhere.
  const known = [...flags].filter(flag => !['--pages', '--minutes', '--variant', '--version'].includes(flag))
  expect(known.filter(flag => !cli.includes(flag) && !page('agents').includes(flag))).toEqual([])
  // Of the AppImage, Flatpak, npm and the service.
  const others = ['--cli', '--help', '--filesystem', '--command', '--open']
  const named = new Set([...cli.matchAll(/(?<![\w-])--[a-z][a-z-]+/g)].map(([flag]) => flag))
  expect([...named].filter(flag => !flags.has(flag) && !others.includes(flag))).toEqual([])
})

test('docs/cli.md has every exit code', () => {
  const [, table = ''] = /\| exit code \| \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(cli) ?? []
  const listed = [...table.matchAll(/^\| ([\d, ]+) \|/gm)].flatMap(([, codes = '']) =>
    codes.split(', ').map(Number),
  )
  expect(listed).toEqual(Object.values(exitCode))
})
