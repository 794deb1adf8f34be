import { InboxIcon, MagnifyingGlassIcon, TagIcon } from '@heroicons/react/24/outline'
import { Button, Center, Loader, Skeleton } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { Empty } from '../core/empty.tsx'
import { Failed } from '../core/failed.tsx'
import { text } from '../core/text.ts'
import { useInboxPlace, type useTicketList, useView } from './inbox.ts'
import classes from './list.module.css'
import { countFilters } from './search.ts'

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

function None() {
  const { search, narrow, view: viewId, searchAll } = useInboxPlace()
  const view = useView()
  if (search.q)
    return (
      <Empty
        icon={MagnifyingGlassIcon}
        title={text.inbox.noneFoundFor(search.q)}
        about={text.inbox.noneFoundAbout}
      >
        {viewId !== 'all' && <Button onClick={searchAll}>{text.inbox.searchAll}</Button>}
        <Button variant="subtle" onClick={() => narrow({ q: undefined })}>
          {text.inbox.clearSearch}
        </Button>
      </Empty>
    )
  if (view?.filters?.tag?.length === 0 && !search.tag)
    return <Empty icon={TagIcon} title={text.inbox.tagless} about={text.inbox.taglessAbout} />
  const isNarrowed = countFilters(search) > 0
  return isNarrowed ? (
    <Empty icon={MagnifyingGlassIcon} title={text.inbox.noneFound} about={text.inbox.noneFoundAbout} />
  ) : (
    <Empty icon={InboxIcon} title={text.inbox.none} about={text.inbox.noneAbout} />
  )
}

/** Loads more when scrolled into view; the button is for people who do not scroll. */
function More({ list }: { list: List }) {
  const box = useRef<HTMLDivElement>(null)
  const { fetchNextPage, isFetchingNextPage } = list
  useEffect(() => {
    const watch = new IntersectionObserver(
      ([entry]) => entry?.isIntersecting && !isFetchingNextPage && void fetchNextPage(),
      { rootMargin: '600px' },
    )
    watch.observe(box.current!)
    return () => watch.disconnect()
  }, [fetchNextPage, isFetchingNextPage])
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
