import { SimpleGrid, Text } from '@mantine/core'
import { useContext } from 'react'
import { ControlGroup } from '../ControlGroup.tsx'
import { Described } from '../Described.tsx'
import { FieldOf } from '../Field.tsx'
import type { GroupControlProps } from '../schema.ts'
import { SourcePicture } from '../surroundings.ts'
import { CropFrame } from './CropFrame.tsx'
import { frameOf, ratioOf } from './frame.ts'

/** The part of a picture that is kept: a frame over it if it is a single one, proportions, and numbers. */
export function CropField({ group, values, facts, problems, path, onChange }: GroupControlProps) {
  const url = useContext(SourcePicture)
  const { width, height } = facts
  const size = typeof width === 'number' && typeof height === 'number' && { width, height }
  const field = (name: string) => (
    <FieldOf key={name} {...{ name, siblings: group.properties, values, problems, path, onChange }} />
  )
  return (
    <ControlGroup title={group.title}>
      {field('mode')}
      {url && size && values.mode !== 'auto' && (
        <CropFrame
          url={url}
          size={size}
          frame={frameOf(values, size)}
          ratio={ratioOf(values.aspect)}
          onChange={frame => onChange(path, { ...values, ...frame })}
        />
      )}
      {field('aspect')}
      {field('gravity')}
      <SimpleGrid cols={2} spacing={8} mt={8}>
        {['left', 'top', 'width', 'height'].map(field)}
      </SimpleGrid>
      {group.description && (
        <Text className="fine" m="6px 0 14px">
          <Described of={group} />
        </Text>
      )}
    </ControlGroup>
  )
}
