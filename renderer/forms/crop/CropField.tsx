import { SimpleGrid } from '@mantine/core'
import { useContext } from 'react'
import { ControlGroup } from '../ControlGroup.tsx'
import { FieldOf } from '../Field.tsx'
import { type GroupControlProps, isGroup } from '../schema.ts'
import { Surroundings } from '../surroundings.ts'
import { CropFrame } from './CropFrame.tsx'
import { frameOf, ratioOf } from './frame.ts'

/** The part of a picture that is kept: a frame over it if it is a single one, proportions, and numbers. */
export function CropField({ group, values, facts, problems, path, onChange }: GroupControlProps) {
  const { picture: url } = useContext(Surroundings)
  const { width, height } = facts
  const size = typeof width === 'number' && typeof height === 'number' && { width, height }
  const { gravity } = group.properties
  const field = (name: string) => (
    <FieldOf key={name} {...{ name, siblings: group.properties, values, problems, path, onChange }} />
  )
  return (
    <ControlGroup of={group}>
      {field('mode')}
      {url && size && gravity && !isGroup(gravity) && values.mode !== 'auto' && (
        <CropFrame
          url={url}
          size={size}
          frame={frameOf(values, size)}
          ratio={ratioOf(values.aspect)}
          places={gravity}
          onChange={frame => onChange(path, { ...values, ...frame })}
        />
      )}
      {field('aspect')}
      {field('gravity')}
      <SimpleGrid cols={2} spacing={8} mt={8}>
        {['left', 'top', 'width', 'height'].map(field)}
      </SimpleGrid>
    </ControlGroup>
  )
}
