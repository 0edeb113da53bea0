import { expect, test } from 'vitest'
import { readPresetFile } from './file.ts'

const file = (content: string) => ({ text: async () => content })

test('a preset file is read', async () => {
  const presets = { refile: 'presets', version: 1, presets: [] }
  expect(await readPresetFile(file(JSON.stringify(presets)))).toEqual(presets)
})

test.each(['', 'no JSON', 'null', '[]', '{"presets":[]}', '{"refile":"presets"}'])(
  '%j is refused with an explanation',
  async content => {
    await expect(readPresetFile(file(content))).rejects.toThrow('This is not a file of Refile presets.')
  },
)
