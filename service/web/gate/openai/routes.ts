/** The transcription of OpenAI's API: https://platform.openai.com/docs/api-reference/audio */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { RequestError } from '../../../shared/errors.ts'
import { languageName } from '../../../shared/messages/language-name.ts'
import { message } from '../../../shared/messages/message.ts'
import { forRole } from '../../http/access.ts'
import { answerIn } from '../../http/replies.ts'
import type { Routes } from '../../http/schema.ts'
import type { Services } from '../../services.ts'
import { callOf, contentOf, converted, formOf, given, textOf, unknownValue } from '../conversion.ts'

/** Names of models that clients know, and the mode that each stands for. */
const MODELS: Readonly<Record<string, string>> = {
  'whisper-1': 'fast',
  'gpt-4o-mini-transcribe': 'fast',
  'gpt-4o-transcribe': 'quality',
  'gpt-4o-transcribe-diarize': 'meeting-intelligence',
}
/** Letters. */
const LONGEST_PROMPT = 1000
const FORMATS = ['json', 'text', 'srt', 'verbose_json', 'vtt']

export function openAiRoutes(app: Routes, services: Services): void {
  answerIn(app, services.log, ({ code, status }, detail) => ({
    type: 'application/json',
    body: {
      error: {
        message: detail,
        type: status < 500 ? 'invalid_request_error' : 'server_error',
        param: null,
        code,
      },
    },
  }))
  const program = forRole('program', app)
  const model = (id: string) => ({ id, object: 'model', created: 0, owned_by: 'refile' })
  program.get('/models', { schema: { hide: true } }, async () => ({
    object: 'list',
    data: Object.keys(MODELS).map(model),
  }))
  program.post('/audio/transcriptions', { schema: { hide: true } }, (request, reply) =>
    transcribe(request, reply, services),
  )
  program.post('/audio/translations', { schema: { hide: true } }, async () => {
    throw new RequestError('request.not_found', message('gate.no_translation'))
  })
}

async function transcribe(request: FastifyRequest, reply: FastifyReply, services: Services) {
  const call = callOf(request, reply, services)
  await using form = await formOf(call)
  if (!form.file) throw new RequestError('request.no_files')
  const { fields } = form
  const format = fields.get('response_format') ?? 'json'
  if (!FORMATS.includes(format)) throw unknownValue('response_format', format)
  const language = fields.get('language')
  // A model looks at the end of a long one.
  const prompt = fields.get('prompt')?.slice(-LONGEST_PROMPT)
  const mode = MODELS[fields.get('model') ?? ''] ?? 'fast'
  const options = { transcription: { mode, ...given({ language, prompt }) } }
  const isSubtitles = format === 'srt' || format === 'vtt'
  const job = await converted(call, form.file, isSubtitles ? format : 'json', options)
  if (isSubtitles) return reply.type('text/plain; charset=utf-8').send(await contentOf(call, job))
  const { text, duration, segments, ...heard } = JSON.parse(await textOf(call, job)) as Transcript
  if (format === 'text') return reply.type('text/plain; charset=utf-8').send(`${text}\n`)
  if (fields.get('stream') === 'true') return reply.type('text/event-stream').send(eventsOf(text, segments))
  if (format === 'json') return { text }
  const asked = fields.get('timestamp_granularities[]') ?? fields.get('timestamp_granularities') ?? 'segment'
  return {
    ...{ task: 'transcribe', language: languageName(heard.language).toLowerCase(), duration, text },
    ...(asked.includes('segment') && { segments: segments.map(({ words: _, ...segment }) => segment) }),
    ...(asked.includes('word') && { words: segments.flatMap(({ words }) => words) }),
  }
}

/** What a job answers as JSON, times in seconds. */
interface Transcript {
  text: string
  language: string
  duration: number
  segments: { id: number; start: number; end: number; text: string; words: object[] }[]
}

/** What is streamed, in one go: the words come when all of them are known. Its pieces together are the text. */
function eventsOf(text: string, segments: Transcript['segments']): string {
  let before = 0
  const pieces = segments.map(segment => {
    const end = text.indexOf(segment.text, before) + segment.text.length
    const delta = text.slice(before, end)
    before = end
    return { type: 'transcript.text.delta', delta }
  })
  return [...pieces, { type: 'transcript.text.done', text }]
    .map(event => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('')
}
