import { ActionIcon, Tooltip } from '@mantine/core'
import { IconArrowRight, IconX } from '@tabler/icons-react'
import { useEffect } from 'react'
import { text } from '../messages/text.ts'
import { FormatTag } from '../ui/FormatTag.tsx'
import { size } from '../ui/format.ts'
import { FileList } from './FileList.tsx'
import classes from './GroupCard.module.css'
import type { GroupFile } from './groups.ts'
import { OptionsPanel } from './OptionsPanel.tsx'
import type { GroupPlan } from './plan.ts'
import { useConvert } from './store.ts'
import { TargetPicker } from './TargetPicker.tsx'

interface Props {
  plan: GroupPlan
}

/** All files of one format: what they become, how, and which they are. */
export function GroupCard({ plan }: Props) {
  const { group, target, conversion, quote } = plan
  const { format, label, files } = group
  const chooseTarget = useConvert(state => state.chooseTarget)
  const loadSchema = useConvert(state => state.loadSchema)
  const remove = useConvert(state => state.remove)
  const targetKey = target?.target
  useEffect(() => {
    if (targetKey) void loadSchema(format, targetKey)
  }, [format, targetKey, loadSchema])

  const remarkOf = (file: GroupFile) =>
    target && quote?.tooLarge.has(file.key)
      ? text('convert.tooLarge', { limit: size(target.maxFileSizeBytes) })
      : file.problem

  return (
    <section
      className={classes.card}
      data-category={group.category}
      aria-label={
        target
          ? text('convert.groupRegionTo', { value: files.length, format: label, target: target.label })
          : text('convert.groupRegion', { value: files.length, format: label })
      }
    >
      <header className={classes.head}>
        <FormatTag size="l" label={label} category={group.category} />
        <IconArrowRight className={classes.arrow} size={20} stroke={1.8} aria-hidden="true" />
        <TargetPicker group={group} target={target} onChoose={key => chooseTarget(format, key)} />
        <div className={classes.facts}>
          <span className={`${classes.price} numbers`}>
            {quote ? text('convert.price', { value: quote.credits }) : ''}
          </span>
          <span className={`${classes.unit} numbers`}>
            {text('common.files', { value: files.length })} · {size(group.bytes)}
            {conversion &&
              ` · ${text('convert.perUnit', { value: conversion.costing.baseCost, suffix: conversion.costing.displaySuffix })}`}
          </span>
        </div>
        <Tooltip label={text('convert.removeGroup', { label })}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={text('convert.removeGroup', { label })}
            onClick={() => remove(files.map(file => file.key))}
          >
            <IconX size={18} stroke={1.8} aria-hidden="true" />
          </ActionIcon>
        </Tooltip>
      </header>
      {group.allMissing && <p className={classes.missing}>{text('convert.allMissing')}</p>}
      {target && <OptionsPanel plan={plan} target={target} />}
      <div className={classes.files}>
        <FileList
          label={text('convert.fileList', { format: label })}
          files={files.map(file => ({
            key: file.key,
            name: file.name,
            bytes: file.bytes,
            remark: remarkOf(file),
          }))}
          removeLabel={name => text('convert.removeFile', { name })}
          onRemove={key => remove([key])}
        />
      </div>
    </section>
  )
}
