import { AdjustmentsHorizontalIcon, FunnelIcon, MagnifyingGlassIcon } from '@heroicons/react/20/solid'
import { ActionIcon, Button, NativeSelect } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useRef } from 'react'
import { useAction } from '../core/actions.ts'
import { LazyContent, lazily } from '../core/lazy.tsx'
import { LazyTarget } from '../core/lazy-target.tsx'
import { text } from '../core/text.ts'
import { NewTicketButton } from '../tickets/new-ticket-button.tsx'
import { advancedFilter } from './conditions/advanced-state.ts'
import { itemsOf } from './conditions/condition.ts'
import inbox from './inbox.module.css'
import { useConditions, useInboxPlace, useTicketList, useViewName, useViews } from './inbox.ts'
import classes from './list.module.css'
import { SearchField } from './search-field.tsx'
import { nameOfView } from './views.ts'

const NewEmail = lazily(() => import('../messages/new-email.tsx'))
const ViewDialogs = lazily(() => import('./save-view.tsx'))
const Chips = lazily(() => import('./conditions/chips.tsx'))

/** Above the list: the view on narrow screens, the search field, and the filters. */
export function FilterBar() {
  return (
    <>
      <ViewChoice />
      <div className={classes.bar}>
        <search className={classes.search}>
          <SearchField />
          <FilterMenu />
          <DisplayButton />
        </search>
        <NewTicketButton />
        <LazyContent>
          <ViewDialogs />
          <NewEmail />
        </LazyContent>
      </div>
      <Filters />
      <Everywhere />
    </>
  )
}

function Filters() {
  const { conditions, isChanged } = useConditions()
  const isAdvanced = advancedFilter.use()
  const isShown = itemsOf(conditions).length > 0 || isChanged || isAdvanced
  return <Suspense>{isShown && <Chips />}</Suspense>
}

/** Extends the search in one view to all tickets. */
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
  // An empty list offers this in its middle.
  return isOffered && tickets.length > 0 ? (
    <Button variant="subtle" size="compact-sm" className={classes.everywhere} onClick={() => searchAll()}>
      {text.inbox.searchAll}
    </Button>
  ) : null
}

function ViewChoice() {
  const views = useViews()
  const name = useViewName()
  const { projectId, view } = useInboxPlace()
  // The first screen opens lists that are not views.
  const other = views.some(({ id }) => id === view) ? [] : [{ value: view, label: name }]
  const navigate = useNavigate()
  return (
    <NativeSelect
      variant="unstyled"
      classNames={{ root: inbox.choice, input: inbox.chosen }}
      aria-label={text.inbox.views}
      value={view}
      data={[...other, ...views.map(one => ({ value: one.id, label: nameOfView(one) }))]}
      onChange={event =>
        navigate({ to: '/p/$projectId/inbox/$view', params: { projectId, view: event.currentTarget.value } })
      }
    />
  )
}

const loadFilters = () => import('./conditions/add-filter.tsx')

/** Adds a filter. The filters themselves are below. */
function FilterMenu() {
  const button = useRef<HTMLButtonElement>(null)
  const count = itemsOf(useConditions().conditions).length
  useAction({
    id: 'add filter',
    name: text.inbox.addFilter,
    group: text.actions.list,
    keys: 'shift+f',
    icon: FunnelIcon,
    run: () => {
      // The focus returns to it.
      button.current?.focus()
      button.current?.click()
    },
  })
  return (
    <LazyTarget
      load={loadFilters}
      props={{}}
      target={props => (
        <ActionIcon
          ref={button}
          size="lg"
          aria-label={text.inbox.addFilter}
          title={text.inbox.addFilter}
          data-add-filter
          data-active={count > 0 || undefined}
          {...props}
        >
          <FunnelIcon width={18} aria-hidden />
        </ActionIcon>
      )}
    />
  )
}

const loadDisplay = () => import('./display-menu.tsx')

const DisplayButton = () => (
  <LazyTarget
    load={loadDisplay}
    props={{}}
    target={props => (
      <ActionIcon size="lg" aria-label={text.inbox.display} title={text.inbox.display} {...props}>
        <AdjustmentsHorizontalIcon width={18} aria-hidden />
      </ActionIcon>
    )}
  />
)
