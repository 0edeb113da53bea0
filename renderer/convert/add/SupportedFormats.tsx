import { Box, Group, Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import type { Catalogue } from '../../api/contract.ts'
import { categoryName, text } from '../../messages/text.ts'
import { formatName, matchesSearch } from '../../session/format-name.ts'
import { useSession } from '../../session/session.ts'
import { categories } from '../../ui/categories.ts'
import { isJoined } from '../state/choose/choices.ts'
import classes from './SupportedFormats.module.css'

interface Source {
  key: string
  name: string
  targets: string[]
}

interface SupportedCategory {
  category: string
  conversions: number
  sources: Source[]
}

function supportedBy(catalogue: Catalogue, missing: ReadonlySet<string>): SupportedCategory[] {
  const offered = catalogue.conversions.filter(each => !missing.has(each.job))
  const found = categories.map(category => {
    const conversions = offered.filter(each => each.category === category)
    const targets = new Map<string, Set<string>>()
    for (const { job } of conversions) {
      // A job type contains its source and target: `image.heic-to-jpg`.
      const [, source = '', target = ''] = /\.(.+?)-to-(.+)/.exec(job) ?? []
      if (source === category || isJoined(source) || source.includes('statement')) continue
      targets.set(source, (targets.get(source) ?? new Set()).add(formatName(target)))
    }
    const sources = [...targets].map(([key, all]) => ({ key, name: formatName(key), targets: [...all] }))
    return { category, conversions: conversions.length, sources }
  })
  return found.filter(each => each.conversions > 0)
}

/** Each format once, with what it becomes in any category. */
const merged = (sources: Source[]): Source[] =>
  [...Map.groupBy(sources, ({ key }) => key)].map(([key, same]) => ({
    key,
    name: formatName(key),
    targets: [...new Set(same.flatMap(({ targets }) => targets))],
  }))

/** What this build converts: its categories, and the formats of one of them or those that are searched for. */
export function SupportedFormats() {
  const catalogue = useSession(state => state.catalogue)
  const missing = useSession(state => state.missing)
  const [search, setSearch] = useState('')
  const [open, setOpen] = useState<string | null>(null)
  const supported = useMemo(
    () => (catalogue ? supportedBy(catalogue, new Set(missing)) : []),
    [catalogue, missing],
  )
  if (supported.length === 0) return null
  const isSearching = search.trim() !== ''
  const shown = isSearching
    ? merged(supported.flatMap(({ sources }) => sources)).filter(({ key, name }) =>
        matchesSearch(search, name, key),
      )
    : (supported.find(({ category }) => category === open)?.sources ?? [])
  return (
    <Box
      component="section"
      w="min(100%, max(1020px, 48vw))"
      m="14px auto 0"
      aria-label={text('convert.supportedFormats')}
    >
      <Group gap="8px 16px" justify="space-between" mb={14}>
        <Text component="h2" fz="var(--text-md)" fw={650}>
          {text('convert.supportedFormats')}
        </Text>
        <TextInput
          size="sm"
          flex="0 1 260px"
          aria-label={text('convert.searchTargets')}
          placeholder={text('convert.searchTargets')}
          leftSection={<IconSearch size={16} stroke={1.8} aria-hidden="true" />}
          value={search}
          onChange={event => setSearch(event.currentTarget.value)}
        />
      </Group>
      <div className={classes.categories}>
        {supported.map(({ category, conversions }) => (
          <button
            key={category}
            type="button"
            className={classes.category}
            data-category={category}
            aria-expanded={!isSearching && open === category}
            onClick={() => {
              setSearch('')
              setOpen(open === category && !isSearching ? null : category)
            }}
          >
            <span className={classes.name}>{categoryName(category)}</span>
            <span className="fine">{text('convert.conversions', { value: conversions })}</span>
          </button>
        ))}
      </div>
      {isSearching && shown.length === 0 && <p className="fine">{text('convert.noTargetFound')}</p>}
      <dl className={classes.sources} data-verbatim>
        {shown.map(({ key, name, targets }) => (
          <div key={key} className={classes.source}>
            <dt>{name}</dt>
            <dd>{targets.join(', ')}</dd>
          </div>
        ))}
      </dl>
    </Box>
  )
}
