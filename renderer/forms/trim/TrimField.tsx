import { Button, Group, SimpleGrid, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useContext } from 'react'
import { text } from '../../messages/text.ts'
import { ControlGroup } from '../ControlGroup.tsx'
import { Field } from '../Field.tsx'
import { type GroupControlProps, isGroup } from '../schema.ts'
import { Surroundings } from '../surroundings.ts'
import { divided, edgesOf, moved, nearest, partsOf, valuesOf } from './span.ts'
import { TimeField } from './TimeField.tsx'
import { TrimBar } from './TrimBar.tsx'
import { TrimPlayer } from './TrimPlayer.tsx'
import { timeText } from './time.ts'

/** The parts of a media file that are kept, as times, and as pairs of handles if its length is known. */
export function TrimField({ group, values, facts, problems, path, onChange }: GroupControlProps) {
  const seconds = typeof facts.seconds === 'number' ? facts.seconds : undefined
  const { start, end } = values
  const { video } = useContext(Surroundings)
  const total = seconds ?? 0
  const edges = edgesOf(values, total)
  const onMove = (next: number[]) => {
    const { start: _, end: __, parts: ___, ...others } = values
    onChange(path, { ...others, ...valuesOf(next, total) })
  }
  const titleOf = (key: string) => group.properties[key]?.title ?? ''
  const isEmpty = typeof end === 'number' && end <= (typeof start === 'number' ? start : 0)
  const isPast = typeof start === 'number' && seconds !== undefined && start >= seconds
  return (
    <ControlGroup of={group}>
      {video && total > 0 && (
        <TrimPlayer
          key={video.url}
          {...{ video, total }}
          onMove={(side, to) => onMove(moved(nearest(to, edges, side), to, edges, total, video.fps))}
        />
      )}
      {total > 0 && (
        <>
          <TrimBar {...{ total, edges, onMove }} labels={[titleOf('start'), titleOf('end')]} />
          <Group gap={6} mb={10}>
            {edges.length > 2 &&
              partsOf(edges).map(({ part, from, to }) => (
                <Button
                  key={from}
                  {...{ size: 'compact-sm', variant: 'default' }}
                  rightSection={<IconX size={14} role="img" aria-label={text('form.removePart', { part })} />}
                  onClick={() => onMove(edges.toSpliced(2 * part - 2, 2))}
                >
                  {`${timeText(from)} – ${timeText(to)}`}
                </Button>
              ))}
            <Button
              {...{ size: 'compact-sm', variant: 'default' }}
              onClick={() => onMove(divided(edges, total, video?.fps))}
            >
              {text('form.cutOut')}
            </Button>
          </Group>
        </>
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
    </ControlGroup>
  )
}
