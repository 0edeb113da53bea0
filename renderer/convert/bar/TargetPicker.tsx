import { Combobox, useCombobox } from '@mantine/core'
import { IconSelector } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import type { TargetChoice } from '../../../service/web/app/types.ts'
import { text } from '../../messages/text.ts'
import { matchesSearch } from '../../session/format-name.ts'
import { FormatTag } from '../../ui/FormatTag.tsx'
import { labelOf, type Offer } from '../state/choose/choices.ts'
import { isTranscript } from '../state/rows/row.ts'
import classes from './TargetPicker.module.css'

interface Props {
  /** Names what the target is for, for screen readers. */
  label: string
  /** Called when the list opens, since it takes a moment for thousands of files. */
  offers: () => Offer[]
  /** Number of files; a target that only some of them support shows how many. */
  files: number
  /** `left`: a goal leaves the file as it is. */
  chosen: TargetChoice | 'mixed' | 'left' | null
  onChoose: (choice: TargetChoice) => void
  /** What has to be known before the list can open the first time. Returns whether it is. */
  prepare?: () => Promise<boolean>
  /** Text instead of the chosen target's name, for a button with its own meaning. */
  caption?: string
  disabled?: boolean
  /** Removed from the Tab order if the arrow keys lead to it. */
  tabIndex?: number
}

/** Up to this many targets, common ones are not listed separately. */
const ONE_LIST = 6
const COMMON_TARGETS = 4

const matches = ({ choice }: Offer, words: string) => matchesSearch(words, labelOf(choice), choice.target)

/** A button that opens the list of possible targets. The list is created on first use. */
export function TargetPicker(props: Props) {
  const { prepare } = props
  const [used, setUsed] = useState(false)
  if (used) return <OpenedPicker {...props} />
  return (
    <button
      type="button"
      {...buttonProps(props)}
      aria-haspopup="listbox"
      aria-expanded={false}
      onClick={event => {
        event.stopPropagation()
        if (prepare) void prepare().then(setUsed)
        else setUsed(true)
      }}
    >
      <Face {...props} />
    </button>
  )
}

const buttonProps = ({ chosen, caption, disabled, tabIndex }: Props) => ({
  ...{ className: classes.button, disabled, tabIndex },
  'data-look': caption
    ? 'plain'
    : chosen === null
      ? 'empty'
      : typeof chosen === 'string'
        ? 'mixed'
        : 'chosen',
})

function Face({ label, chosen, caption }: Pick<Props, 'label' | 'chosen' | 'caption'>) {
  const name =
    chosen === null
      ? text('convert.chooseTarget')
      : chosen === 'mixed'
        ? text('convert.severalTargets')
        : chosen === 'left'
          ? text('convert.asItIs')
          : labelOf(chosen)
  return (
    <>
      {!caption && <span className="hidden-text">{label} </span>}
      <span className={classes.name} title={caption ?? name}>
        {caption ?? name}
      </span>
      <IconSelector size={15} stroke={1.8} aria-hidden="true" />
    </>
  )
}

function OpenedPicker(props: Props) {
  const { offers: find, files, chosen, onChoose } = props
  const [search, setSearch] = useState('')
  const [found, setOffers] = useState(find)
  // What is being read has nothing to offer yet.
  const offers = found.length > 0 ? found : find()
  const combobox = useCombobox({
    defaultOpened: true,
    onDropdownOpen: () => setOffers(find()),
    onDropdownClose: () => {
      combobox.resetSelectedOption()
      combobox.focusTarget()
      setSearch('')
    },
  })
  const { selectFirstOption, focusSearchInput, dropdownOpened } = combobox
  useEffect(() => {
    if (dropdownOpened) focusSearchInput()
  }, [dropdownOpened, focusSearchInput])
  useEffect(() => {
    // Enter selects the first match.
    if (search) selectFirstOption()
  }, [search, selectFirstOption])
  const matching = offers.filter(offer => matches(offer, search))
  const transcripts = matching.filter(({ choice }) => isTranscript(choice))
  const others = matching.filter(({ choice }) => !isTranscript(choice))
  const split = search === '' && others.length > ONE_LIST
  const options = (list: readonly Offer[]) =>
    list.map(offer => (
      <Combobox.Option
        key={`${offer.choice.job} ${offer.choice.target}`}
        value={String(offers.indexOf(offer))}
        active={typeof chosen === 'object' && chosen?.target === offer.choice.target}
        className={classes.option}
      >
        <FormatTag label={labelOf(offer.choice)} />
        {offer.files < files && (
          <span className="fine numbers">{text('convert.someFiles', { files: offer.files })}</span>
        )}
      </Combobox.Option>
    ))
  return (
    <Combobox
      store={combobox}
      width={280}
      position="bottom-start"
      shadow="lg"
      onOptionSubmit={value => {
        const offer = offers[Number(value)]
        if (offer) onChoose(offer.choice)
        combobox.closeDropdown()
      }}
    >
      <Combobox.Target targetType="button">
        <button
          type="button"
          {...buttonProps(props)}
          onClick={event => {
            event.stopPropagation()
            combobox.toggleDropdown()
          }}
        >
          <Face {...props} />
        </button>
      </Combobox.Target>
      <Combobox.Dropdown className={classes.dropdown} onClick={event => event.stopPropagation()}>
        <Combobox.Search
          role="combobox"
          aria-expanded
          value={search}
          aria-label={text('convert.searchTargets')}
          placeholder={text('convert.searchTargets')}
          onChange={event => setSearch(event.currentTarget.value)}
          onKeyDown={event => event.stopPropagation()}
        />
        <Combobox.Options className={classes.options} aria-label={text('convert.targets')}>
          {matching.length === 0 && <Combobox.Empty>{text('convert.noTargetFound')}</Combobox.Empty>}
          {split ? (
            <>
              <Combobox.Group label={text('convert.commonTargets')}>
                {options(others.slice(0, COMMON_TARGETS))}
              </Combobox.Group>
              <Combobox.Group label={text('convert.otherTargets')}>
                {options(others.slice(COMMON_TARGETS))}
              </Combobox.Group>
            </>
          ) : (
            options(others)
          )}
          {transcripts.length > 0 && (
            <Combobox.Group label={text('convert.transcripts')}>{options(transcripts)}</Combobox.Group>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
