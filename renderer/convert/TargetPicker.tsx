import { Combobox, useCombobox } from '@mantine/core'
import { IconSelector } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import type { TargetChoice } from '../../service/app/types.ts'
import { text } from '../messages/text.ts'
import { FormatTag } from '../ui/FormatTag.tsx'
import type { FileGroup } from './groups.ts'
import classes from './TargetPicker.module.css'

interface Props {
  group: FileGroup
  target: TargetChoice | null
  onChoose: (target: string) => void
}

/** Up to this many targets there is no need to tell common ones from the rest. */
const oneList = 5
const commonTargets = 3

const matches = (choice: TargetChoice, words: string) =>
  `${choice.label} ${choice.target}`.toLowerCase().includes(words.trim().toLowerCase())

/** The suffix where the label does not say it; a compound key (`pdf-ocr`) in words. */
function remarkOf({ label, target }: TargetChoice): string {
  if (label.toLowerCase() === target) return ''
  return target.includes('-') ? target.replaceAll('-', ' ') : `.${target}`
}

/** What files of one format can become: a list with search, moved through with the arrow keys. */
export function TargetPicker({ group, target, onChoose }: Props) {
  const [search, setSearch] = useState('')
  const combobox = useCombobox({
    onDropdownOpen: () => combobox.focusSearchInput(),
    onDropdownClose: () => {
      combobox.resetSelectedOption()
      combobox.focusTarget()
      setSearch('')
    },
  })
  const { selectFirstOption } = combobox
  useEffect(() => {
    // Enter takes the first match.
    if (search) selectFirstOption()
  }, [search, selectFirstOption])
  const offered = group.allMissing ? group.targets : group.targets.filter(choice => !choice.missing)
  const found = offered.filter(choice => matches(choice, search))
  const split = search === '' && offered.length > oneList
  const options = (choices: readonly TargetChoice[]) =>
    choices.map(choice => (
      <Combobox.Option
        key={choice.target}
        value={choice.target}
        disabled={choice.missing}
        active={choice.target === target?.target}
        className={classes.option}
      >
        <FormatTag label={choice.label} category={choice.category} />
        <span className={classes.remark}>{choice.missing ? text('convert.missing') : remarkOf(choice)}</span>
      </Combobox.Option>
    ))
  return (
    <Combobox
      store={combobox}
      width={280}
      position="bottom-start"
      shadow="lg"
      onOptionSubmit={value => {
        onChoose(value)
        combobox.closeDropdown()
      }}
    >
      <Combobox.Target targetType="button">
        <button
          type="button"
          className={classes.button}
          data-empty={target ? undefined : true}
          data-category={target?.category}
          disabled={group.allMissing}
          onClick={() => combobox.toggleDropdown()}
        >
          <span className="hidden-text">{text('convert.targetFor', { format: group.label })} </span>
          {target?.label ?? text('convert.chooseTarget')}
          <IconSelector size={17} stroke={1.8} aria-hidden="true" />
        </button>
      </Combobox.Target>
      <Combobox.Dropdown className={classes.dropdown}>
        <Combobox.Search
          role="combobox"
          aria-expanded
          value={search}
          aria-label={text('convert.searchTargets')}
          placeholder={text('convert.searchTargets')}
          onChange={event => setSearch(event.currentTarget.value)}
        />
        <Combobox.Options className={classes.options} aria-label={text('convert.chooseTarget')}>
          {found.length === 0 && <Combobox.Empty>{text('convert.noTargetFound')}</Combobox.Empty>}
          {split ? (
            <>
              <Combobox.Group label={text('convert.commonTargets')}>
                {options(found.slice(0, commonTargets))}
              </Combobox.Group>
              <Combobox.Group label={text('convert.otherTargets')}>
                {options(found.slice(commonTargets))}
              </Combobox.Group>
            </>
          ) : (
            options(found)
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
