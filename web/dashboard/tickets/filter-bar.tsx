import { AdjustmentsHorizontalIcon, MagnifyingGlassIcon, XMarkIcon } from '@heroicons/react/20/solid'
import {
  ActionIcon,
  Button,
  CloseButton,
  Indicator,
  NativeSelect,
  Popover,
  Stack,
  TextInput,
} from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useAction } from '../core/actions.ts'
import { Later, lazily } from '../core/later.tsx'
import { text } from '../core/text.ts'
import { Filters } from './filters.tsx'
import inbox from './inbox.module.css'
import { useInboxPlace, useTicketList, useViews } from './inbox.ts'
import classes from './list.module.css'
import { countFilters } from './search.ts'
import { nameOfView } from './views.ts'

const ViewDialogs = lazily(() => import('./save-view.tsx'))

/** Above the list: the view on narrow screens, words to search for, and what else narrows it. */
export function FilterBar() {
  return (
    <>
      <ViewChoice />
      <search className={classes.bar}>
        <Words />
        <FilterMenu />
        <Later>
          <ViewDialogs />
        </Later>
      </search>
      <Everywhere />
    </>
  )
}

/** From the words searched in one view to the same words in all tickets. */
function Everywhere() {
  const { view, search, searchAll } = useInboxPlace()
  const { tickets } = useTicketList()
  const isOffered = Boolean(search.q) && view !== 'all'
  useAction({
    id: 'search everywhere',
    name: text.inbox.searchAll,
    group: text.actions.list,
    keys: 'g /',
    icon: MagnifyingGlassIcon,
    isHidden: !isOffered,
    run: () => isOffered && void searchAll(),
  })
  // An empty list offers it in its middle.
  return isOffered && tickets.length > 0 ? (
    <Button variant="subtle" size="compact-sm" className={classes.everywhere} onClick={searchAll}>
      {text.inbox.searchAll}
    </Button>
  ) : null
}

function ViewChoice() {
  const views = useViews()
  const { projectId, view } = useInboxPlace()
  const navigate = useNavigate()
  return (
    <NativeSelect
      variant="unstyled"
      classNames={{ root: inbox.choice, input: inbox.chosen }}
      aria-label={text.inbox.views}
      value={view}
      data={views.map(one => ({ value: one.id, label: nameOfView(one) }))}
      onChange={event =>
        navigate({ to: '/p/$projectId/inbox/$view', params: { projectId, view: event.currentTarget.value } })
      }
    />
  )
}

/** Long enough for a word to be typed. */
const pause = 250

/** What is typed, which goes into the address a little later. */
function useWords(): [string, (words: string) => void] {
  const { search, narrow } = useInboxPlace()
  const [words, setWords] = useState(search.q ?? '')
  const own = useRef(search.q)
  useEffect(() => {
    // The address follows what is typed here, which may have gone on since.
    if (search.q === own.current) return
    own.current = search.q
    setWords(search.q ?? '')
  }, [search.q])
  useEffect(() => {
    if (words.trim() === (search.q ?? '')) return
    const timer = setTimeout(() => {
      own.current = words.trim() || undefined
      narrow({ q: own.current })
    }, pause)
    return () => clearTimeout(timer)
  }, [words])
  return [words, setWords]
}

function Words() {
  const [words, setWords] = useWords()
  const field = useRef<HTMLInputElement>(null)
  useAction({
    id: 'search list',
    name: text.actions.search,
    group: text.actions.list,
    keys: '/',
    icon: MagnifyingGlassIcon,
    run: () => field.current?.select(),
  })
  const clear = () => {
    setWords('')
    field.current?.focus()
  }
  return (
    <TextInput
      ref={field}
      className={classes.query}
      size="sm"
      type="text"
      inputMode="search"
      placeholder={text.inbox.search}
      aria-label={text.inbox.search}
      value={words}
      maxLength={500}
      onChange={event => setWords(event.currentTarget.value)}
      onKeyDown={event => event.key === 'Escape' && (words ? clear() : field.current?.blur())}
      leftSection={<MagnifyingGlassIcon width={16} aria-hidden />}
      rightSection={
        words && (
          <CloseButton
            size="sm"
            icon={<XMarkIcon width={16} />}
            aria-label={text.inbox.clearSearch}
            onClick={clear}
          />
        )
      }
    />
  )
}

function FilterMenu() {
  const count = countFilters(useInboxPlace().search)
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      width={250}
      trapFocus
      returnFocus
      shadow="md"
    >
      <Indicator disabled={count === 0} label={count} size={15} offset={4}>
        <Popover.Target>
          <ActionIcon
            size="lg"
            aria-label={text.inbox.filter}
            title={text.inbox.filter}
            onClick={() => setOpen(!isOpen)}
          >
            <AdjustmentsHorizontalIcon width={18} aria-hidden />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown>
        <Stack gap="xs">
          <Filters onClose={() => setOpen(false)} />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
