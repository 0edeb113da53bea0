import type { Input, SubmitSettings } from './types.ts'

/** The body of a submission. */
export function formOf(
  input: Input,
  target: string,
  { sourceFormat, options, webhook }: SubmitSettings,
): FormData {
  const fields: Record<string, string | undefined> = {
    targetFormat: target,
    sourceFormat: 'url' in input ? input.sourceFormat : sourceFormat,
    inputUrl: 'url' in input ? input.url : undefined,
    options: options && JSON.stringify(options),
    webhookUrl: webhook?.url,
    webhookSecret: webhook?.secret,
    webhookEvents: webhook?.events?.join(','),
  }
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.set(name, value)
  // Last, so that the service knows what it is to do before the bytes come.
  if (input instanceof Blob) form.set('file', input, input.name)
  else if ('data' in input) form.set('file', input.data, input.name)
  return form
}
