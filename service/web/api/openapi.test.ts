import { type RulesetDefinition, Spectral } from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import { expect, test } from 'vitest'
import { misbehaving } from '../../../testing/misbehaving.ts'
import { json, sharedService } from '../../../testing/service.ts'

const service = sharedService(misbehaving)

interface Document {
  components: { schemas: Record<string, object> }
  paths: Record<string, Record<string, { responses: Record<string, { content?: object }> }>>
}
const describe = () => json<Document>(fetch(`${service().url}/openapi.json`))

test('the description of the API passes a linter without a warning', async () => {
  const linter = new Spectral()
  linter.setRuleset({ extends: [[oas, 'recommended']] } as RulesetDefinition)
  expect(await linter.run({ ...(await describe()) })).toEqual([])
})

test('shapes have names, and stand once', async () => {
  const { components, paths } = await describe()
  expect(Object.keys(components.schemas)).toEqual(
    expect.arrayContaining(['Error', 'Job', 'Conversion', 'Estimate']),
  )
  const job = { $ref: '#/components/schemas/Job' }
  expect(paths['/convert/job/{id}']?.get?.responses['200']?.content).toEqual({
    'application/json': { schema: job },
  })
  expect(JSON.stringify(paths)).not.toContain('creditCost')
  expect(components.schemas.Conversions).toMatchObject({
    properties: { conversions: { items: { $ref: '#/components/schemas/Conversion' } } },
  })
})
