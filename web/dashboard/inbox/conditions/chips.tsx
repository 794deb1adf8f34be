import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useLayoutEffect, useRef } from 'react'
import { announce } from '../../core/announce.tsx'
import { lazily } from '../../core/lazy.tsx'
import { pageText } from '../../core/page-text.ts'
import { useProject } from '../../projects/project.ts'
import { viewsQuery } from '../../views/queries.ts'
import { useConditions, useInboxPlace, useView } from '../inbox.ts'
import { advancedFilter } from './advanced-state.ts'
import { GroupChip, LeafChip } from './chip.tsx'
import classes from './chips.module.css'
import {
  type Condition,
  type Group,
  isLeaf,
  itemsOf,
  type Join,
  joinOf,
  joins,
  makeGroup,
} from './condition.ts'
import { useFields } from './fields.ts'
import { useNames } from './names.ts'
import { listProblems } from './problems.ts'
import { SaveButtons } from './save-buttons.tsx'
import { describe } from './words.ts'

const AdvancedFilter = lazily(() => import('./advanced-filter.tsx'))

/** The filters of the list, above it. */
export default function Chips() {
  const { conditions, isChanged } = useConditions()
  const isAdvanced = advancedFilter.use()
  const items = itemsOf(conditions)
  const focusNext = useFocusNext(items.length)
  const { problems } = useProblems()
  return (
    <>
      {(items.length > 0 || isChanged) && (
        <section className={classes.row} aria-label={pageText.conditions.filters}>
          {(items.length > 1 || joinOf(conditions) !== 'all') && <JoinSelect />}
          <ChipList conditions={conditions} problems={problems} onRemoved={focusNext} />
          <SaveButtons isChanged={isChanged} hasFilters={items.length > 0} />
          {problems.size > 0 && <p className={classes.attention}>{pageText.conditions.attentionAbout}</p>}
        </section>
      )}
      {isAdvanced && <AdvancedFilter />}
    </>
  )
}

/** The problems of the saved view by the index of their filter, while its filters are unchanged. */
function useProblems() {
  const { search } = useInboxPlace()
  const view = useView()
  const { isPlaceholderData } = useQuery(viewsQuery(useProject().id))
  const isOwn = !isPlaceholderData && view?.kind === 'saved' && search.conditions === undefined
  return { problems: isOwn ? listProblems(view) : new Map<number, string>() }
}

function JoinSelect() {
  const { conditions, change } = useConditions()
  return (
    <NativeSelect
      size="xs"
      aria-label={pageText.conditions.match}
      value={joinOf(conditions)}
      data={joins.map(join => ({ value: join, label: pageText.conditions.matches[join] }))}
      onChange={event => {
        const join: Join = joins.find(one => one === event.currentTarget.value) ?? 'all'
        change(makeGroup(join, itemsOf(conditions)))
      }}
    />
  )
}

function focusChip(at: number): void {
  const chips = document.querySelectorAll<HTMLElement>(`.${classes.words}`)
  const next = chips[Math.min(at, chips.length - 1)]
  if (next) next.focus()
  else document.querySelector<HTMLElement>('[data-add-filter]')?.focus()
}

/** After a filter was removed, the next one has the focus. The filters follow the URL, which changes a little later. */
function useFocusNext(count: number): (at: number) => void {
  const removed = useRef<{ at: number; count: number } | null>(null)
  useLayoutEffect(() => {
    if (removed.current && count < removed.current.count) focusChip(removed.current.at)
    removed.current = null
  }, [count])
  return at => {
    removed.current = { at, count }
  }
}

interface ChipListProps {
  conditions: Group
  problems: Map<number, string>
  onRemoved(at: number): void
}

function ChipList({ conditions, problems, onRemoved }: ChipListProps) {
  const { change } = useConditions()
  const fields = useFields()
  const nameOf = useNames(conditions)
  const items = itemsOf(conditions)
  const set = (next: Condition[], isReplaced = false) =>
    change(makeGroup(joinOf(conditions), next), isReplaced)
  return (
    <ul className={classes.chips} aria-label={pageText.conditions.filters}>
      {items.map((item, at) => {
        const words = describe(item, fields, nameOf)
        const chip = {
          words,
          problem: problems.get(at),
          onRemove: () => {
            onRemoved(at)
            set(items.filter(one => one !== item))
            announce(pageText.conditions.removed(words))
          },
        }
        const info = isLeaf(item) && fields.find(({ field }) => field === item.field)
        return info && isLeaf(item) ? (
          <LeafChip
            key={at}
            info={info}
            leaf={item}
            onChange={leaf => set(items.with(at, leaf), true)}
            {...chip}
          />
        ) : (
          <GroupChip key={at} onOpen={() => advancedFilter.set(true)} {...chip} />
        )
      })}
    </ul>
  )
}
