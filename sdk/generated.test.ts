import openapiTypes, { astToString, COMMENT_HEADER } from 'openapi-typescript'
import { expect, test } from 'vitest'
import { misbehaving } from '../testing/misbehaving.ts'
import { testService } from '../testing/service.ts'

/** The generated files of the package: `npx vitest run sdk/generated.test.ts -u` rewrites them. */

interface Shape {
  properties: Record<string, object>
}

test('the types are those of the service', async () => {
  const service = await testService(misbehaving)
  const text = await (await fetch(`${service.url}/openapi.json`)).text()
  // Examples of answers are for readers of the description, not of types.
  const isAnswer = (key: string) => key === 'webhooks' || key === 'example'
  const description = JSON.parse(text, (key, value) => (isAnswer(key) ? undefined : value))
  // Each request has a method of its own, whose types are those of what is sent and answered, and errors are classes.
  Object.assign(description, { paths: {} })
  delete description.components.responses
  for (const name of ['ConvertForm', 'ConvertFromUrl', 'Error']) delete description.components.schemas[name]
  // What a shape shares with another is said there.
  const { Job, JobList, JobSucceeded, JobFailed } = description.components.schemas
  const own = (shape: Shape, of: string, { properties }: Shape) => {
    for (const name of Object.keys(properties)) delete shape.properties[name]
    return { allOf: [{ $ref: `#/components/schemas/${of}` }, shape] }
  }
  const shared = Object.entries<object>(JobFailed.properties).filter(
    ([name, schema]) => JSON.stringify(schema) === JSON.stringify(JobSucceeded.properties[name]),
  )
  const JobEnded = { ...JobFailed, properties: Object.fromEntries(shared) }
  JobList.properties.jobs.items = own(JobList.properties.jobs.items, 'Job', Job)
  Object.assign(description.components.schemas, {
    JobEnded,
    JobSucceeded: own(JobSucceeded, 'JobEnded', JobEnded),
    JobFailed: own(JobFailed, 'JobEnded', JobEnded),
  })
  // What a shape does not have needs no line, nor what its type says.
  const types = astToString(await openapiTypes(description, { alphabetize: true }))
    .replace(/^ +\w+\??: never;\n/gm, '')
    .replace(/^ +\/\*\* @(?:enum \{string\}|constant) \*\/\n/gm, '')
    .replace(/^export type .*never>;\n/gm, '')
  await expect(`${COMMENT_HEADER}${types}`).toMatchFileSnapshot('./src/api.ts')
})
