import {
  type DataTag,
  MutationCache,
  QueryClient,
  type QueryKey,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { onReturn } from './connection.ts'
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

onReturn(() => void queryClient.invalidateQueries())

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
  const mutationKey = expect[0]?.key
  return useMutation({
    mutationKey,
    mutationFn: send,
    onMutate(input: Input) {
      // Takes effect at once. A request that began earlier would replace the expected data.
      for (const { key } of expect) void client.cancelQueries({ queryKey: key })
      const before = expect.map(({ key }) => [key, client.getQueryData(key)] as const)
      for (const { key, next } of expect) {
        client.setQueryData(key, (old: unknown) =>
          old === undefined ? undefined : next(old as never, input),
        )
      }
      return before
    },
    onError: (_failure, _input, before) => {
      for (const [key, data] of before ?? []) client.setQueryData(key, data)
    },
    onSuccess: (answer, input) => onDone?.(answer, input),
    onSettled: async () => {
      // A later change refreshes too. Until then, the server's data may lack it.
      if (mutationKey && client.isMutating({ mutationKey }) > 1) return
      await Promise.all(refresh.map(queryKey => client.invalidateQueries({ queryKey })))
    },
  })
}
