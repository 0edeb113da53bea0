/** `npm run reference`: writes docs/reference.md from the service's own description of its API. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startFromSources } from '../from-sources.ts'
import { root } from '../root.mjs'
import { temporaryFolder } from '../temporary.ts'

export const referenceFile = join(root, 'docs', 'reference.md')

/** The part of JSON Schema that the service's description uses. */
interface Schema {
  type?: string | string[]
  format?: string
  description?: string
  enum?: string[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  items?: Schema
  anyOf?: Schema[]
}

interface Operation {
  summary: string
  description?: string
  parameters?: {
    name: string
    in: 'path' | 'query'
    required: boolean
    description?: string
    schema: Schema
  }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

/** What is used of an OpenAPI 3.1 document. */
export interface OpenApi {
  components?: { schemas: Record<string, Schema> }
  paths: Record<string, Record<string, Operation>>
}

/** A request that is shown: its path with everything filled in, and what is sent. */
interface Example {
  path: string
  /** Fields of a form; `@` begins the path of a file, as in curl. */
  form?: Record<string, string>
  /** The file that the answer is written to. */
  saved?: string
  /** The answer comes in lines over time. */
  isStream?: true
  /** The answer has no content, and its status says everything. */
  isEmpty?: true
}

const JOB = '/convert/job/$ID'

/** An example for each operation, in the order of the page. */
export const examples: Record<string, Example> = {
  'POST /convert': { path: '/convert', form: { file: '@photo.png', targetFormat: 'webp' } },
  'POST /convert/file': {
    path: '/convert/file',
    form: { file: '@photo.png', targetFormat: 'webp' },
    saved: 'photo.webp',
  },
  'GET /convert/jobs': { path: '/convert/jobs?status=Succeeded&limit=10' },
  'GET /convert/job/{id}': { path: JOB },
  'GET /convert/job/{id}/events': { path: `${JOB}/events`, isStream: true },
  'GET /convert/job/{id}/download': { path: `${JOB}/download`, saved: 'photo.webp' },
  'POST /convert/job/{id}/cancel': { path: `${JOB}/cancel`, isEmpty: true },
  'DELETE /convert/job/{id}': { path: JOB, isEmpty: true },
  'GET /convert/conversions': { path: '/convert/conversions?formats=heic,pdf' },
  'GET /convert/conversions/{filter}': { path: '/convert/conversions/ebooks' },
  'GET /convert/conversions/from/{format}': { path: '/convert/conversions/from/heic' },
  'GET /convert/conversions/to/{format}': { path: '/convert/conversions/to/epub' },
  'POST /convert/inspect': { path: '/convert/inspect', form: { file: '@photo.png' } },
  'GET /convert/estimate/{from}/{to}': { path: '/convert/estimate/heic/jpg?fileSizeBytes=12000000' },
  'GET /convert/schema/{from}/{to}': { path: '/convert/schema/heic/jpg' },
  'GET /convert/schema': { path: '/convert/schema' },
  'GET /convert/presets': { path: '/convert/presets' },
  'GET /convert/entitlements/me': { path: '/convert/entitlements/me' },
}

/** What stands before the first example of each language; tests put their own values there. */
export const beginnings = {
  sh: `URL=http://127.0.0.1:7421
KEY='X-Service-Api-Key: rf_…'
ID=019a…   # the id that POST /convert answers`,
  js: `import { openAsBlob } from 'node:fs'
import { writeFile } from 'node:fs/promises'

const url = 'http://127.0.0.1:7421'
const headers = { 'X-Service-Api-Key': 'rf_…' }
const id = '019a…' // the id that POST /convert answers`,
  python: `import requests

url = 'http://127.0.0.1:7421'
headers = {'X-Service-Api-Key': 'rf_…'}
id = '019a…'  # the id that POST /convert answers`,
} as const

type Language = keyof typeof beginnings

const writers: Record<Language, (method: string, example: Example) => string> = {
  sh: (method, { path, form = {}, saved, isStream, isEmpty }) => {
    const fields = Object.entries(form).flatMap(([name, value]) => ['-F', `${name}=${value}`])
    const values = [
      `curl -s${isStream ? 'N' : ''}`,
      ...(method === 'GET' || fields.length > 0 ? [] : ['-X', method]),
      '-H "$KEY"',
      ...fields,
      ...(saved ? ['-o', saved] : []),
      ...(isEmpty ? ["-w '%{http_code}'"] : []),
      path.includes('?') ? `"$URL${path}"` : `$URL${path}`,
    ]
    return values.join(' ')
  },
  js: (method, { path, form, saved, isStream, isEmpty }) => {
    const fields = Object.entries(form ?? {}).map(([name, value]) =>
      value.startsWith('@')
        ? `body.append('${name}', await openAsBlob('${value.slice(1)}'), '${value.slice(1)}')`
        : `body.append('${name}', '${value}')`,
    )
    const options = [
      ...(method === 'GET' ? [] : [`method: '${method}'`]),
      'headers',
      ...(form ? ['body'] : []),
    ]
    const output = saved
      ? `await writeFile('${saved}', await answer.bytes())`
      : isStream
        ? 'for await (const part of answer.body.pipeThrough(new TextDecoderStream())) console.log(part)'
        : `console.log(${isEmpty ? 'answer.status' : 'await answer.json()'})`
    const address = `\`\${url}${path.replace('$ID', `\${id}`)}\``
    return [
      ...(form ? ['const body = new FormData()', ...fields] : []),
      `const answer = await fetch(${address}, { ${options.join(', ')} })`,
      output,
    ].join('\n')
  },
  python: (method, { path, form, saved, isStream, isEmpty }) => {
    const [data, files] = [false, true].map(isFile =>
      Object.entries(form ?? {}).flatMap(([name, value]) =>
        value.startsWith('@') === isFile
          ? `'${name}': ${isFile ? `open('${value.slice(1)}', 'rb')` : `'${value}'`}`
          : [],
      ),
    )
    const further = [
      ...(data?.length ? [`data={${data.join(', ')}}`] : []),
      ...(files?.length ? [`files={${files.join(', ')}}`] : []),
      ...(isStream ? ['stream=True'] : []),
    ]
    const address = path.includes('$ID') ? `f'{url}${path.replace('$ID', '{id}')}'` : `f'{url}${path}'`
    const output = saved
      ? `open('${saved}', 'wb').write(answer.content)`
      : isStream
        ? 'for line in answer.iter_lines(decode_unicode=True):\n    print(line)'
        : `print(${isEmpty ? 'answer.status_code' : 'answer.json()'})`
    const values = [address, 'headers=headers', ...further].join(', ')
    return `answer = requests.${method.toLowerCase()}(${values})\n${output}`
  },
}

/** The example of an operation such as `GET /convert/schema`, as a program. */
export function programOf(language: Language, operation: string): string {
  const [method = ''] = operation.split(' ')
  return writers[language](method, examples[operation]!)
}

const typeOf = ({ type, format, enum: values, anyOf, items }: Schema): string => {
  if (values) return values.map(value => `\`${value}\``).join(', ')
  if (anyOf) return anyOf.map(typeOf).join(' or ')
  if (type === 'array' && items) return `list of ${typeOf(items)}`
  const name = [type ?? 'any'].flat().join(' or ')
  return format ? `${name} (${format})` : name
}

/** The fields of a schema, those within others by their path. */
function fieldsOf(schema: Schema, before = ''): string[] {
  if (schema.anyOf) return schema.anyOf.flatMap(one => fieldsOf(one, before))
  if (schema.items) return fieldsOf(schema.items, before && `${before}[]`)
  const more =
    typeof schema.additionalProperties === 'object' && before !== ''
      ? fieldsOf(schema.additionalProperties, `${before}.*`)
      : []
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = before === '' ? name : `${before}.${name}`
    const isLeft = schema.required && !schema.required.includes(name)
    const about = field.description ?? (isLeft ? 'May be left out.' : '')
    return [`| \`${path}\` | ${typeOf(field)} | ${about} |`, ...fieldsOf(field, path)]
  })
  return [...own, ...more]
}

const table = (heading: string, rows: readonly string[]): string[] =>
  rows.length === 0 ? [] : ['', `| ${heading} | | |`, '|---|---|---|', ...rows]

/** A value with the shapes of `components` in place of references to them. */
function inlined<Value>(value: Value, shapes: Record<string, Schema>): Value {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(item => inlined(item, shapes)) as Value
  const { $ref } = value as { $ref?: string }
  if ($ref !== undefined) return inlined(shapes[$ref.split('/').at(-1) ?? ''] as Value, shapes)
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inlined(item, shapes)])) as Value
}

/** The page of an API. @throws Error naming the operations without an example, or examples without an operation */
export function referenceOf({ paths, components }: OpenApi): string {
  const operations = new Map(
    Object.entries(inlined(paths, components?.schemas ?? {})).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation]),
    ),
  )
  const odd = new Set(Object.keys(examples)).symmetricDifference(new Set(operations.keys()))
  if (odd.size > 0)
    throw new Error(
      `setup/generated/reference.ts needs an example for, or has too many: ${[...odd].join(', ')}`,
    )
  const known = new Map<string, string>()
  const sections = Object.keys(examples).map(name => {
    const { summary, description, parameters = [], requestBody, responses } = operations.get(name)!
    // Of several successes the last is what is answered without a preference.
    const [status = '', response] =
      Object.entries(responses).findLast(([status]) => status.startsWith('2')) ?? []
    const [[kind, { schema }] = ['nothing', { schema: {} as Schema }]] = Object.entries(
      response?.content ?? {},
    )
    const shape = JSON.stringify(schema)
    const first = known.get(shape)
    if (!first && fieldsOf(schema).length > 0) known.set(shape, name)
    return [
      `## ${name}`,
      '',
      `${summary}. ${description ?? ''}`.trim(),
      ...table(
        'parameter',
        parameters.map(
          ({ name, in: place, schema, description = '' }) =>
            `| \`${name}\` (${place}) | ${typeOf(schema)} | ${description} |`,
        ),
      ),
      ...Object.entries(requestBody?.content ?? {}).flatMap(([kind, { schema }]) =>
        table(`\`${kind}\``, fieldsOf(schema)),
      ),
      '',
      `Answers ${status} with ${kind === 'nothing' ? kind : `\`${kind}\``}${first ? `, as ${first}` : ''}.`,
      ...(first ? [] : table('field', fieldsOf(schema))),
      ...(Object.keys(writers) as Language[]).flatMap(language => [
        '',
        `\`\`\`${language}`,
        programOf(language, name),
        '```',
      ]),
      '',
    ].join('\n')
  })
  return [
    '# API reference',
    '',
    'Every request of the API, with an example in curl, JavaScript (Node 24) and Python (with `requests`). The [guide](api.md) explains',
    'how they belong together; a running service shows the same as `/openapi.json`, and as an interactive page at `/reference`.',
    '',
    'Written by `npm run reference` from the description that the service serves; the tests run every example.',
    '',
    'Each example begins with:',
    ...Object.entries(beginnings).flatMap(([language, text]) => ['', `\`\`\`${language}`, text, '```']),
    '',
    'A refusal has a status from 400 on and `{"error", "detail"}`; see [Errors](api.md#errors).',
    '',
    sections.join('\n'),
  ].join('\n')
}

if (import.meta.main) {
  using home = temporaryFolder('reference')
  await using service = await startFromSources(home.path)
  const description = await (await fetch(`${service.url}/openapi.json`)).json()
  writeFileSync(referenceFile, referenceOf(description as OpenApi))
}
