import type { Refile } from '../sdk/src/index.ts'
import type { Converter } from '../service/watch/converter.ts'
import { fileAt } from './inputs.ts'

/** Converts files over HTTP, also at a service elsewhere. */
export const converterOver = (client: Refile): Converter => ({
  async convert({ path }, target, { options, key, signal }) {
    const file = await fileAt(path).open()
    const result = await client.convert(file, target, { options, signal, idempotencyKey: key })
    const { fileName, fileCount, warnings } = result
    return { fileName, fileCount, warnings, content: () => result.stream(), remove: () => result.remove() }
  },
  credits: async () => (await client.entitlements()).totalCredits,
})
