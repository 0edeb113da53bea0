import { SimpleGrid, Text } from '@mantine/core'
import { useContext } from 'react'
import { text } from '../../messages/text.ts'
import { ControlGroup } from '../ControlGroup.tsx'
import { Described } from '../Described.tsx'
import { Field } from '../Field.tsx'
import { type GroupControlProps, isGroup, type Values } from '../schema.ts'
import { SourceVideo } from '../surroundings.ts'
import type { Handle, TrimSpan } from './span.ts'
import { TimeField } from './TimeField.tsx'
import { TrimBar } from './TrimBar.tsx'
import { TrimPlayer } from './TrimPlayer.tsx'

/** The part that the values describe, within a media file. */
function spanOf({ start, end }: Values, seconds: number): TrimSpan {
  const from = typeof start === 'number' ? Math.min(start, seconds) : 0
  return { start: from, end: typeof end === 'number' ? Math.max(from, Math.min(end, seconds)) : seconds }
}

/** The part of a media file that is kept, as two times, and as two handles if its length is known. */
export function TrimField({ group, values, facts, problems, path, onChange }: GroupControlProps) {
  const seconds = typeof facts.seconds === 'number' ? facts.seconds : undefined
  const { start, end } = values
  const video = useContext(SourceVideo)
  // A handle at an end means the default.
  const onMove = (handle: Handle, to: number) =>
    onChange([...path, handle], to === (handle === 'start' ? 0 : seconds) ? undefined : to)
  const titleOf = (key: string) => group.properties[key]?.title ?? ''
  const isEmpty = typeof end === 'number' && end <= (typeof start === 'number' ? start : 0)
  const isPast = typeof start === 'number' && seconds !== undefined && start >= seconds
  return (
    <ControlGroup title={group.title}>
      {video && seconds !== undefined && seconds > 0 && (
        <TrimPlayer key={video.url} video={video} total={seconds} onMove={onMove} />
      )}
      {seconds !== undefined && seconds > 0 && (
        <TrimBar
          total={seconds}
          span={spanOf(values, seconds)}
          labels={{ start: titleOf('start'), end: titleOf('end') }}
          onMove={onMove}
        />
      )}
      <SimpleGrid cols={2} spacing={8}>
        {Object.entries(group.properties).map(([key, field]) => {
          if (isGroup(field)) return null
          const here = [...path, key]
          const [value, problem] = [values[key], problems[here.join('.')]]
          const control = { field, value, problem, onChange: (next: unknown) => onChange(here, next) }
          return field['x-control'] === 'time' ? (
            <TimeField key={key} {...control} fallback={key === 'end' ? seconds : 0} />
          ) : (
            <Field key={key} {...control} />
          )
        })}
      </SimpleGrid>
      {(isEmpty || isPast) && (
        <Text className="fine" m="6px 0 14px" data-tone="danger">
          {text('form.trimEmpty')}
        </Text>
      )}
      {group.description && (
        <Text className="fine" m="6px 0 14px">
          <Described of={group} />
        </Text>
      )}
    </ControlGroup>
  )
}
