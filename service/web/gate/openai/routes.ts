/** The transcription of OpenAI's API: https://platform.openai.com/docs/api-reference/audio */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { RequestError } from '../../../shared/errors.ts'
import { message } from '../../../shared/messages/message.ts'
import type { Job } from '../../../store/interfaces/jobs.ts'
import { forRole } from '../../http/access.ts'
import { answerIn } from '../../http/replies.ts'
import type { Routes } from '../../http/schema.ts'
import type { Services } from '../../services.ts'
import { callOf, contentOf, converted, formOf, textOf, unknownValue } from '../conversion.ts'

/** Names of models that clients know, and the mode that each stands for. */
const MODELS: Readonly<Record<string, string>> = {
  'whisper-1': 'fast',
  'gpt-4o-mini-transcribe': 'fast',
  'gpt-4o-transcribe': 'quality',
  'gpt-4o-transcribe-diarize': 'meeting-intelligence',
}
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
  const mode = MODELS[fields.get('model') ?? ''] ?? 'fast'
  const options = { transcription: { mode, ...(language && { language }) } }
  const job = await converted(call, form.file, format === 'vtt' ? 'vtt' : 'srt', options)
  if (format === 'srt' || format === 'vtt')
    return reply.type('text/plain; charset=utf-8').send(await contentOf(call, job))
  const segments = segmentsOf(await textOf(call, job))
  const text = segments.map(segment => segment.text).join(' ')
  if (format === 'text') return reply.type('text/plain; charset=utf-8').send(`${text}\n`)
  if (fields.get('stream') === 'true') return reply.type('text/event-stream').send(eventsOf(segments, text))
  if (format === 'json') return { text }
  return { task: 'transcribe', language: language ?? '', duration: secondsOf(job, segments), text, segments }
}

interface Segment {
  id: number
  /** Seconds. */
  start: number
  end: number
  text: string
}

/** The subtitles of an SRT file. */
function segmentsOf(srt: string): Segment[] {
  return srt
    .trim()
    .split(/\n{2,}/)
    .flatMap((cue, id) => {
      const [, times = '', ...lines] = cue.split('\n')
      const [start, end] = times.split(' --> ').map(inSeconds)
      return start === undefined || end === undefined ? [] : [{ id, start, end, text: lines.join(' ') }]
    })
}

const inSeconds = (time: string): number =>
  time
    .replace(',', '.')
    .split(':')
    .reduce((sum, part) => sum * 60 + Number(part), 0)

const secondsOf = ({ measure: { minutes } }: Job, segments: readonly Segment[]): number =>
  minutes === undefined ? (segments.at(-1)?.end ?? 0) : Math.round(minutes * 60_000) / 1000

/** What is streamed, in one go: the words come when all of them are known. */
const eventsOf = (segments: readonly Segment[], text: string): string =>
  [
    ...segments.map(segment => ({ type: 'transcript.text.delta', delta: `${segment.text} ` })),
    { type: 'transcript.text.done', text },
  ]
    .map(event => `data: ${JSON.stringify(event)}\n\n`)
    .join('')
