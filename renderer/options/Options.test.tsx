import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { imageOptionsOf } from '../../service/convert/converters/images/options.ts'
import type { Facts, Values } from '../forms/schema.ts'
import { Options } from './Options.tsx'
import { useSchemas } from './schemas.ts'

function shown(properties: ReturnType<ReturnType<typeof imageOptionsOf>>, facts: Facts, values: Values = {}) {
  // Rendered as on a server, with a store's initial state.
  Object.assign(useSchemas.getInitialState(), {
    schemas: { 'png>jpg': { type: 'object', properties, additionalProperties: false } },
  })
  return renderToStaticMarkup(
    <MantineProvider>
      <Options from="png" to="jpg" facts={facts} values={values} onChange={() => {}} onReset={() => {}} />
    </MantineProvider>,
  )
}

test('options irrelevant for the file are not shown', () => {
  const properties = imageOptionsOf({ frames: true })('jpg')
  // An invalid value among the collapsed options expands them.
  const values = { background: 'red' }
  const moving = shown(properties, { frames: 12, alpha: true, metadata: true }, values)
  expect(moving).toContain('Enter it like this: #1a2b3c')
  for (const title of ['Frame', 'Background', 'Camera data']) expect(moving).toContain(title)
  const still = shown(properties, { frames: 1, alpha: false, metadata: false }, values)
  for (const title of ['Frame', 'Background', 'Camera data']) expect(still).not.toContain(title)
})

test('the resulting size is shown, and a button restores the defaults', () => {
  const properties = imageOptionsOf({})('jpg')
  const facts = { width: 4000, height: 3000 }
  expect(shown(properties, facts)).not.toContain('Reset')
  const changed = shown(properties, facts, { resize: { enabled: true, preset: '2k' } })
  expect(changed).toContain('From 4,000 × 3,000 to 2,560 × 1,920 pixels')
  expect(changed).toContain('Reset')
})
