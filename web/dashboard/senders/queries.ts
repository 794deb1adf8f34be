import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Shape } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { byCursor } from '../core/more.tsx'
import { unlessShown } from '../core/query.ts'
import { senderKeys } from './query-keys.ts'

export type SenderRule = Shape<'SenderRule'>
export type SenderVerdict = SenderRule['verdict']

const path = '/projects/{project_id}/sender-rules'

export const senderRulesQuery = (project_id: string, q: string) =>
  infiniteQueryOptions({
    queryKey: senderKeys.found(project_id, q),
    queryFn: ({ pageParam: cursor }) =>
      take(
        api.GET(path, {
          params: { path: { project_id }, query: { cursor, page_size: 50, count: false, ...(q && { q }) } },
        }),
      ),
    ...byCursor,
    staleTime: 0,
    throwOnError: unlessShown,
  })

export const setSenderRule = (project_id: string, body: Pick<SenderRule, 'pattern' | 'verdict'>) =>
  take(api.POST(path, { params: { path: { project_id } }, body }))

export const removeSenderRule = (project_id: string, rule_id: string) =>
  take(api.DELETE(`${path}/{rule_id}`, { params: { path: { project_id, rule_id } } }))
