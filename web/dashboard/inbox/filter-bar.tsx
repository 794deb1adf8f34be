import { AdjustmentsHorizontalIcon, MagnifyingGlassIcon } from '@heroicons/react/20/solid'
import { ActionIcon, Button, Indicator, NativeSelect } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useAction } from '../core/actions.ts'
import { LazyContent, lazily } from '../core/lazy.tsx'
import { LazyTarget } from '../core/lazy-target.tsx'
import { text } from '../core/text.ts'
import inbox from './inbox.module.css'
import { useInboxPlace, useTicketList, useViews } from './inbox.ts'
import classes from './list.module.css'
import { countFilters } from './search.ts'
import { SearchField } from './search-field.tsx'
import { nameOfView } from './views.ts'

const NewEmail = lazily(() => import('../messages/new-email.tsx'))
const ViewDialogs = lazily(() => import('./save-view.tsx'))

/** Above the list: the view on narrow screens, the search field, and the filters. */
export function FilterBar() {
  return (
    <>
      <ViewChoice />
      <div className={classes.bar}>
        <search className={classes.search}>
          <SearchField />
          <FilterMenu />
        </search>
        <LazyContent>
          <ViewDialogs />
          <NewEmail />
        </LazyContent>
      </div>
      <Everywhere />
    </>
  )
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

const loadPopover = () => import('./filter-popover.tsx')

function FilterMenu() {
  const count = countFilters(useInboxPlace().search)
  return (
    <Indicator disabled={count === 0} label={count} size={15} offset={4}>
      <LazyTarget
        load={loadPopover}
        props={{}}
        target={props => (
          <ActionIcon size="lg" aria-label={text.inbox.filter} title={text.inbox.filter} {...props}>
            <AdjustmentsHorizontalIcon width={18} aria-hidden />
          </ActionIcon>
        )}
      />
    </Indicator>
  )
}
