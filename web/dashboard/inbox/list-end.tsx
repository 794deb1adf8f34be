import { MagnifyingGlassIcon, TagIcon } from '@heroicons/react/20/solid'
import { Button, Center, Loader, Skeleton } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { Empty } from '../core/empty.tsx'
import { Failed } from '../core/failed.tsx'
import { LazyContent, lazily } from '../core/lazy.tsx'
import { text } from '../core/text.ts'
import { useInboxPlace, type useTicketList, useView } from './inbox.ts'
import classes from './list.module.css'
import { countFilters } from './search.ts'

const NoTickets = lazily(() => import('./no-tickets.tsx'))

type List = ReturnType<typeof useTicketList>

/** Below the rows: more rows, the reason for an empty list, or an error. */
export function ListEnd({ list }: { list: List }) {
  if (list.isPending) return <Waiting />
  if (list.error) return <Failed error={list.error} retry={list.refetch} />
  if (list.tickets.length === 0) return <None />
  return list.hasNextPage ? <More list={list} /> : null
}

const Waiting = () => (
  <div role="status" aria-label={text.shell.loading}>
    {[0, 1, 2, 3, 4, 5].map(row => (
      <div key={row} className={classes.ghost}>
        <Skeleton height={10} width="45%" />
        <Skeleton height={10} mt={9} width="80%" />
        <Skeleton height={10} mt={9} width="60%" />
      </div>
    ))}
  </div>
)

/** Words without operators or quotes, which may be the name of a customer. */
const isPlain = (q: string): boolean => !/[:"“”„«»]/.test(q) && !/(^|\s)-/.test(q)

function NoneFound({ q }: { q: string }) {
  const { narrow, view, searchAll } = useInboxPlace()
  return (
    <Empty
      icon={MagnifyingGlassIcon}
      title={text.inbox.noneFoundFor(q)}
      about={isPlain(q) ? text.inbox.noneFoundInWords : text.inbox.noneFoundAbout}
    >
      {view !== 'all' && <Button onClick={() => searchAll()}>{text.inbox.searchAll}</Button>}
      {isPlain(q) && (
        <Button variant="default" maw="100%" onClick={() => searchAll(`from:"${q}"`)}>
          {text.inbox.searchFrom(q)}
        </Button>
      )}
      <Button variant="subtle" onClick={() => narrow({ q: undefined })}>
        {text.inbox.clearSearch}
      </Button>
    </Empty>
  )
}

function None() {
  const { search } = useInboxPlace()
  const view = useView()
  if (search.q) return <NoneFound q={search.q} />
  if (view?.filters?.tag?.length === 0 && !search.conditions)
    return <Empty icon={TagIcon} title={text.inbox.tagless} about={text.inbox.taglessAbout} />
  return countFilters(search) > 0 ? (
    <Empty icon={MagnifyingGlassIcon} title={text.inbox.noneFound} about={text.inbox.noneFiltered} />
  ) : (
    <LazyContent>
      <NoTickets />
    </LazyContent>
  )
}

/** Loads more when scrolled into view; the button is for people who do not scroll. */
function More({ list }: { list: List }) {
  const box = useRef<HTMLDivElement>(null)
  const { fetchNextPage, isFetchingNextPage, isFetching } = list
  useEffect(() => {
    // An event may reload the list. When that has ended, the observer looks again.
    if (isFetching) return
    // Browsers add the margin only to the root, which must be the element that scrolls.
    const watch = new IntersectionObserver(([entry]) => entry?.isIntersecting && void fetchNextPage(), {
      root: box.current!.parentElement,
      rootMargin: '600px',
    })
    watch.observe(box.current!)
    return () => watch.disconnect()
  }, [fetchNextPage, isFetching])
  return (
    <Center ref={box} p="sm">
      {isFetchingNextPage ? (
        <Loader role="status" aria-label={text.shell.loading} />
      ) : (
        <Button variant="subtle" size="xs" onClick={() => fetchNextPage()}>
          {text.inbox.loadMore}
        </Button>
      )}
    </Center>
  )
}
