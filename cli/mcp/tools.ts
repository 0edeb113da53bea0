import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type CallToolResult, McpServer, type ServerContext } from '@modelcontextprotocol/server'
import packageFile from '../../package.json' with { type: 'json' }
import { type Job, RefileError } from '../../sdk/src/index.ts'
import { type Catalogue, loadCatalogue } from '../catalogue.ts'
import { errorCodeOf, messageOf } from '../exit-codes.ts'
import type { Service } from '../service.ts'
import {
  convertFile,
  type Parts,
  type Request,
  readText,
  type Saved,
  textOptions,
  textTarget,
} from './conversions.ts'
import type { Folders } from './folders.ts'
import { answers, outputFolder, path, read, saved, schemaOf, status, text, word, words } from './schemas.ts'

/** Up to so many bytes, a picture is shown to the agent as well. */
const INLINE_BYTES = 256_000
const INLINE_TYPES = /^image\/(png|jpeg|webp|gif)$/

interface Transcription {
  path: string
  format?: 'txt' | 'srt' | 'vtt'
  language?: string
  mode?: 'fast' | 'quality' | 'meeting-intelligence'
  outputFolder?: string
}

const reading = { readOnlyHint: true, openWorldHint: false }
/** Results get names of their own, so nothing is ever replaced. */
const writing = { readOnlyHint: false, destructiveHint: false, openWorldHint: false }

/** The tools for agents, on a service that is found or started when one is first used. */
export function createServer(
  service: () => Promise<Service>,
  folders: Folders,
  lifetime: AbortSignal,
): McpServer {
  const server = new McpServer(
    { name: 'refile', title: 'Refile', version: packageFile.version },
    {
      instructions: `Converts files on this machine. Allowed folders: ${folders.names.join(', ') || 'none'}. Ask list_targets what a file can become and describe_options for the options of a conversion. Results are saved beside the files and never replace any.`,
    },
  )
  let known: { service: Service; catalogue: Promise<Catalogue> } | undefined
  const parts = async (): Promise<Parts> => {
    const found = await service()
    // A service that was restarted may be another version.
    if (known?.service !== found) known = { service: found, catalogue: loadCatalogue(found, lifetime) }
    const { catalogue } = known
    catalogue.catch(() => {
      if (known?.catalogue === catalogue) known = undefined
    })
    return { service: found, catalogue: await catalogue, folders }
  }
  const background = new Map<string, Promise<CallToolResult>>()

  server.registerTool(
    'convert_file',
    {
      title: 'Convert a file',
      description:
        'Converts one file to another format and saves the result in the folder of the file. Long conversions: set background, and ask job_status for the result.',
      annotations: writing,
      inputSchema: schemaOf<Request & { background?: boolean }>(
        {
          path,
          to: text('Target format, such as jpg; see list_targets.'),
          from: text('Source format, where the name of the file does not say it.'),
          options: { type: 'object', description: 'Options of the conversion; see describe_options.' },
          furtherSteps: {
            type: 'array',
            maxItems: 4,
            description: 'What the result becomes in the same job, such as the pages of a PDF as pictures.',
            items: {
              type: 'object',
              properties: { to: word, options: { type: 'object' } },
              required: ['to'],
              additionalProperties: false,
            },
          },
          outputFolder,
          background: { type: 'boolean', description: 'Answer with the id of the job once it is queued.' },
        },
        ['path', 'to'],
      ),
      outputSchema: answers({ ...saved, ...status }, ['job']),
    },
    ({ background: isBackground, ...request }, context) =>
      answering(async () => {
        if (!isBackground) return savedResult(await convertFile(await parts(), request, following(context)))
        const queued = Promise.withResolvers<string>()
        const converting = convertFile(await parts(), request, {
          signal: lifetime,
          onSubmitted: queued.resolve,
        })
        converting.catch(queued.reject)
        const id = await queued.promise
        background.set(
          id,
          answering(async () => savedResult(await converting)),
        )
        return plain({ job: id, status: 'Queued' })
      }),
  )

  server.registerTool(
    'list_targets',
    {
      title: 'What can it become?',
      description:
        'Lists the formats that a file or a format can be converted to; without one, all conversions.',
      annotations: reading,
      inputSchema: schemaOf<{ format?: string }>(
        { format: text('A format such as heic, or the name of a file.') },
        [],
      ),
      outputSchema: answers({ targets: { type: 'array', items: { type: 'object' } } }, [], words),
    },
    ({ format }) =>
      answering(async () => {
        const { catalogue } = await parts()
        if (format === undefined) {
          const all = Object.entries(catalogue.all.sourceFormatTo)
          return plain(
            Object.fromEntries(all.map(([from, edges]) => [from, edges.map(edge => edge.targetFormat)])),
          )
        }
        const edges = catalogue.edgesOf(basename(format))
        return plain({
          targets: edges.map(({ targetFormat, sourceFormat, category, maxFileSizeBytes }) => {
            return { to: targetFormat, from: sourceFormat, category, maxFileSizeBytes }
          }),
        })
      }),
  )

  server.registerTool(
    'describe_options',
    {
      title: 'Options of a conversion',
      description: 'The JSON Schema of the options that a conversion takes, with defaults.',
      annotations: reading,
      inputSchema: schemaOf<{ from: string; to: string }>(
        { from: text('Source format.'), to: text('Target format.') },
        ['from', 'to'],
      ),
      outputSchema: answers({}),
    },
    ({ from, to }) => answering(async () => plain(await (await service()).client.schema(from, to, lifetime))),
  )

  server.registerTool(
    'transcribe',
    {
      title: 'Transcribe a recording',
      description:
        'Writes down what is said in a recording or a video, on this machine. Answers with the text; saves it if outputFolder is given.',
      annotations: writing,
      inputSchema: schemaOf<Transcription>(
        {
          path,
          format: { enum: ['txt', 'srt', 'vtt'], description: 'Plain text, or subtitles. txt by default.' },
          language: text('Language that is spoken, such as en; recognised by default.'),
          mode: { enum: ['fast', 'quality', 'meeting-intelligence'], description: 'fast by default.' },
          outputFolder,
        },
        ['path'],
      ),
      outputSchema: answers({ ...saved, ...read, job: word }, ['warnings']),
    },
    ({ path, format = 'txt', language, mode, outputFolder }, context) =>
      answering(async () => {
        const chosen = Object.entries({ language, mode }).filter(([, value]) => value !== undefined)
        const options = chosen.length > 0 ? { transcription: Object.fromEntries(chosen) } : undefined
        return textOf(await parts(), { path, to: format, options, outputFolder }, context)
      }),
  )

  server.registerTool(
    'extract_text',
    {
      title: 'Extract the text',
      description:
        'The text of a PDF, picture, Word document or presentation as Markdown, or of a recording. Answers with the text; saves it if outputFolder is given.',
      annotations: writing,
      inputSchema: schemaOf<{ path: string; outputFolder?: string }>({ path, outputFolder }, ['path']),
      outputSchema: answers({ ...saved, ...read, job: word }, ['warnings']),
    },
    ({ path, outputFolder }, context) =>
      answering(async () => {
        const all = await parts()
        const to = textTarget(all.catalogue, path)
        const options = outputFolder === undefined ? await textOptions(all, path, to) : undefined
        return textOf(all, { path, to, options, outputFolder }, context)
      }),
  )

  server.registerTool(
    'job_status',
    {
      title: 'Status of a job',
      description:
        'The status of a job, and the saved result of one that convert_file started in the background.',
      annotations: reading,
      inputSchema: schemaOf<{ id: string }>({ id: text('Id of the job.') }, ['id']),
      outputSchema: answers(
        { ...saved, ...status, percent: { type: 'number' }, error: { type: ['object', 'null'] } },
        ['job'],
      ),
    },
    ({ id }) =>
      answering(async () => {
        const ended = await Promise.race([background.get(id), Promise.resolve(undefined)])
        if (ended) return ended
        const { status, progress, error } = await (await service()).client.job(id)
        return plain({ job: id, status, percent: progress.percent, error })
      }),
  )
  return server
}

/** Answers with the text, or with the file if it is to be saved. */
async function textOf(parts: Parts, request: Request, context: ServerContext): Promise<CallToolResult> {
  if (request.outputFolder !== undefined)
    return savedResult(await convertFile(parts, request, following(context)))
  const { text, isWhole, warnings } = await readText(parts, request, following(context))
  const rest = isWhole ? [] : ['This is the beginning. Give outputFolder to save the whole text.']
  const notes = [...warnings, ...rest].map(note => ({ type: 'text' as const, text: note }))
  return {
    content: [{ type: 'text', text }, ...notes],
    structuredContent: { text, isWhole, warnings },
  }
}

/** A saved result: a link to each file, with what is known of it, and a small picture itself. */
async function savedResult({ paths, bytes, contentType, ...others }: Saved): Promise<CallToolResult> {
  const isOne = paths.length === 1
  const facts = { path: paths[0], ...(!isOne && { paths }), bytes, contentType, ...others }
  const links = paths.map(path => ({
    type: 'resource_link' as const,
    uri: pathToFileURL(path).href,
    name: basename(path),
    ...(isOne && { mimeType: contentType, size: bytes }),
  }))
  const [path = ''] = isOne && bytes <= INLINE_BYTES && INLINE_TYPES.test(contentType) ? paths : []
  const picture = path && (await readFile(path, 'base64'))
  return {
    content: [
      ...links,
      { type: 'text', text: JSON.stringify(facts) },
      ...(picture ? [{ type: 'image' as const, data: picture, mimeType: contentType }] : []),
    ],
    structuredContent: facts,
  }
}

const plain = (value: Record<string, unknown>): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(value) }],
  structuredContent: value,
})

/** Follows a job for a call: its progress is reported if the caller wants it, and a canceled call cancels it. */
function following({ mcpReq }: ServerContext) {
  const progressToken = mcpReq._meta?.progressToken
  let last = -1
  const onProgress = ({ progress, status }: Job) => {
    // It may only grow.
    if (progressToken === undefined || progress.percent <= last) return
    last = progress.percent
    const params = { progressToken, progress: last, total: 100, message: progress.phase ?? status }
    void mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {})
  }
  return { signal: mcpReq.signal, onProgress }
}

/** A failure is an answer too, with the code that the service gives it, so that the caller can do something about it. */
async function answering(work: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await work()
  } catch (error) {
    const context = error instanceof RefileError ? error.context : {}
    const described = { code: errorCodeOf(error), detail: messageOf(error), ...context }
    return {
      isError: true,
      content: [{ type: 'text', text: `${described.code}: ${described.detail}` }],
      structuredContent: { error: described },
    }
  }
}
