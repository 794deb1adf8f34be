import { Button, Center } from '@mantine/core'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { text } from './text.ts'

interface Listed<T> {
  items: T[]
  next_cursor: string | null
}

/** Options of useInfiniteQuery for the API's lists with cursors. */
export const byCursor = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (last: { next_cursor: string | null }) => last.next_cursor ?? undefined,
}

export const itemsOf = <T,>(data: InfiniteData<Listed<T>> | undefined): T[] | undefined =>
  data?.pages.flatMap(page => page.items)

/** A button below a list that has more items. */
export function More({
  list,
}: {
  list: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>
}) {
  if (!list.hasNextPage) return null
  return (
    <Center mt="md">
      <Button variant="default" loading={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
        {text.shell.more}
      </Button>
    </Center>
  )
}
