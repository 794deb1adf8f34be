import {
  type DataTag,
  type InvalidateQueryFilters,
  MutationCache,
  partialMatchKey,
  QueryClient,
  type QueryKey,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { onReturn } from './connection.ts'
import { endChange, expectData, postponeRefetch, takeBack } from './expected-data.ts'
import { asFailure } from './failure.ts'
import { showFailure } from './notice.ts'
import type { Key } from './query-key.ts'

declare module '@tanstack/react-query' {
  interface Register {
    queryKey: Key
  }
}

/** Retries only failures that may be temporary. */
const isPassing = (failure: Error): boolean =>
  asFailure(failure).isOffline || asFailure(failure).status === 429

const pause = (times: number, failure: Error): number =>
  (asFailure(failure).retryAfter ?? Math.min(2 ** times, 15)) * 1000

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (times, failure) => isPassing(failure) && times < 8,
      retryDelay: pause,
      networkMode: 'always',
      refetchOnMount: ({ queryKey }) => !postponeRefetch(queryKey),
      refetchOnWindowFocus: ({ queryKey }) => !postponeRefetch(queryKey),
    },
    mutations: { retry: false, networkMode: 'always' },
  },
  mutationCache: new MutationCache({
    // Forms show their own failures; all others are shown in a corner.
    onError: (failure, _input, _context, mutation) =>
      mutation.meta?.isForm || showFailure(asFailure(failure)),
  }),
})

/** For `throwOnError`: a failed refetch keeps the shown data, and what is typed there. */
export const unlessShown = (_failure: Error, { state }: { state: { data: unknown } }): boolean =>
  state.data === undefined

/**
 * Fetches queries again. Those that are being changed are fetched afterwards: until then, the server's data may lack the change,
 * and the next change would be based on it.
 */
const refetch = (filters: InvalidateQueryFilters): Promise<void> =>
  queryClient.invalidateQueries({ ...filters, predicate: query => !postponeRefetch(query.queryKey) })

/** Fetches outdated queries again. */
export const refetchOutdated = (queryKey?: QueryKey): Promise<void> => refetch(queryKey ? { queryKey } : {})

onReturn(() => void refetchOutdated())

// A query that is outdated while it loads for the first time joins the request, whose response may be older than the change. It is
// fetched again afterwards.
queryClient.getQueryCache().subscribe(event => {
  if (event.type !== 'updated' || event.action.type !== 'invalidate') return
  const { queryKey, state, promise } = event.query
  const isFirst = state.data === undefined && state.fetchStatus !== 'idle'
  if (isFirst) void promise?.then(() => refetch({ queryKey, exact: true })).catch(() => {})
})

/** Shows what a change has returned. A request that began earlier is canceled, because its older data could replace it. */
export async function showSaved<T>(
  client: QueryClient,
  key: DataTag<Key, T, Error>,
  saved: T,
): Promise<void> {
  await client.cancelQueries({ queryKey: key, exact: true })
  client.setQueryData<T>(key, () => saved)
}

interface Change<Input, Answer> {
  send(input: Input): Promise<Answer>
  /** Optimistic data, which is rolled back if the call fails. */
  expect?: { key: QueryKey; next(old: never, input: Input): unknown }[]
  /** Queries to invalidate afterwards. */
  refresh?: QueryKey[]
  onDone?(answer: Answer, input: Input): void
}

/** A change on the server. Failures are shown automatically. */
export function useChange<Input = void, Answer = unknown>({
  send,
  expect = [],
  refresh = [],
  onDone,
}: Change<Input, Answer>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: send,
    onMutate(input: Input) {
      const changes = expect.map(({ key, next }) => ({
        key,
        next: (old: unknown) => next(old as never, input),
      }))
      // Takes effect at once. A request that began earlier would replace the expected data.
      for (const { key } of changes) void client.cancelQueries({ queryKey: key })
      for (const change of changes) expectData(client, change)
      return changes
    },
    onError: (_failure, _input, changes = []) => {
      for (const change of changes) takeBack(client, change)
    },
    onSuccess: (answer, input) => onDone?.(answer, input),
    onSettled: async (_answer, _failure, _input, changes = []) => {
      const postponed = changes
        .filter(change => endChange(change) && !refresh.some(one => partialMatchKey(change.key, one)))
        .map(({ key }) => key)
      await Promise.all([...refresh, ...postponed].map(refetchOutdated))
    },
  })
}
