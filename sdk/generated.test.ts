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
  // All refusals have one shape, of which there needs to be one.
  const { Refusal } = description.components.responses
  Object.assign(description.components, { responses: { Refusal } })
  for (const operation of Object.values<object>(description.paths).flatMap(path => Object.values(path))) {
    for (const status of Object.keys(operation.responses))
      if (/^[45]/.test(status)) delete operation.responses[status]
    // Operations are found by their paths, not by names besides.
    delete operation.operationId
  }
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
  // What an operation or a path does not have needs no line, nor do headers of any name, or what the type says.
  const types = astToString(await openapiTypes(description, { alphabetize: true }))
    .replace(/^ +\w+\??: never;\n/gm, '')
    .replace(/^ +\/\*\* @(?:enum \{string\}|constant) \*\/\n/gm, '')
    .replace(/^ +headers: \{\n +\[name: string\]: unknown;\n +\};\n/gm, '')
    .replace(/^ +\/\*\* @description (?:Default Response|OK) \*\/\n/gm, '')
    .replace(/^ +parameters: \{\n +\};\n/gm, '')
    // What nearly every operation has is said once.
    .replace(/\{\n +content: \{\n +("[^"]+"): ([^\n]+);\n +\};\n +\}/g, 'Content<$1, $2>')
    .replace(
      /\{\n +(\d+): (Content<.+>);\n +default: components\["responses"\]\["Refusal"\];\n +\}/g,
      'Answers<$1, $2>',
    )
  const content = 'interface Content<Type extends string, Body> {\n    content: Record<Type, Body>;\n}\n'
  const answers =
    'type Answers<Status extends number, Body> = Record<Status, Body> & Record<"default", components["responses"]["Refusal"]>;\n'
  const repeated = {
    JobPath: /\{\n +\/\*\* @description Job id[^}]*\}/g,
    Listed: /\{\n +\/\*\* @description One of images[^}]*\}/g,
  }
  const short = Object.entries(repeated).reduce(
    (text, [name, shape]) => {
      const [first = ''] = text.match(shape) ?? []
      return `${text.replace(shape, name)}interface ${name} ${first.replace(/^ {16}/gm, '')}\n`
    },
    types + content + answers,
  )
  await expect(`${COMMENT_HEADER}${short}`).toMatchFileSnapshot('./src/api.ts')
})
