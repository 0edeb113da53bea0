import openapiTypes, { astToString, COMMENT_HEADER } from 'openapi-typescript'
import { expect, test } from 'vitest'
import { jobFailureCodes, requestErrors } from '../service/shared/errors.ts'
import { misbehaving } from '../testing/misbehaving.ts'
import { testService } from '../testing/service.ts'

/** The generated files of the package: `npx vitest run sdk/generated.test.ts -u` rewrites them. */

test('the types are those of the service', async () => {
  const service = await testService(misbehaving)
  const description = await (await fetch(`${service.url}/openapi.json`)).json()
  // What an operation or a path does not have needs no line, nor do headers of any name.
  const types = astToString(await openapiTypes(description, { alphabetize: true }))
    .replace(/^ +\w+\?: never;\n/gm, '')
    .replace(/^ +headers: \{\n +\[name: string\]: unknown;\n +\};\n/gm, '')
    .replace(/^ +\/\*\* @description Default Response \*\/\n/gm, '')
    .replace(/^ +parameters: \{\n +\};\n/gm, '')
  await expect(`${COMMENT_HEADER}${types}`).toMatchFileSnapshot('./src/api.ts')
})

test('the error codes are those of the service', async () => {
  const codes = [...Object.keys(requestErrors), ...jobFailureCodes, 'jobs.canceled', 'connection'].toSorted()
  const text = [
    '/** The error codes that are known today; a later service may have more. */',
    'export type ErrorCode =',
    ...codes.map(code => `  | '${code}'`),
    '  | (string & {})',
    '',
  ].join('\n')
  await expect(text).toMatchFileSnapshot('./src/codes.ts')
})
