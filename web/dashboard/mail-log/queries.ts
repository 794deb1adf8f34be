import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type {
  attentionOutcomes,
  loggedOutcomes,
  MailOutcome,
  messageOutcomes,
} from '../../../src/channels/email/incoming/outcomes.ts'
import type { Shape } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { byCursor } from '../core/more.tsx'
import { pageText } from '../core/page-text.ts'
import { unlessShown } from '../core/query.ts'
import { mailLogKeys } from './query-keys.ts'

export type LoggedMail = Shape<'LoggedMail'>
export type LoggedMailDetails = Shape<'LoggedMailDetails'>

type Words<Outcomes> = Record<keyof Outcomes, string>

/** The compiler finds a missing text. */
const outcomeTexts: {
  message: Words<typeof messageOutcomes>
  logged: Words<typeof loggedOutcomes>
  attention: Words<typeof attentionOutcomes>
} = pageText.mailLog.outcomes

const allTexts: Record<string, string> = {
  ...outcomeTexts.message,
  ...outcomeTexts.logged,
  ...outcomeTexts.attention,
}

/** This version of the dashboard may not know the outcome. */
export const wordOutcome = ({ outcome, state }: LoggedMail): string =>
  state === 'stored' || outcome === null ? pageText.mailLog.waiting : (allTexts[outcome] ?? outcome)

/** The text counts as changed only if its words changed. */
export function wordChanges(changes: string[]): string {
  const { none, content, media, details } = pageText.mailLog.changes
  if (changes.length === 0) return none
  const words = [changes.includes('content') && content, changes.includes('media') && media]
  return words.filter(Boolean).join(', ') || details
}

export interface MailFilters {
  kind: keyof typeof outcomeTexts | ''
  mailbox_id: string
  q: string
}

/** Emails are handled without an event. */
const pollIntervalMs = 1_000

const pollWhile = (isWaiting: boolean | undefined) => (isWaiting ? pollIntervalMs : (false as const))

/** Of all lists and entries of a project. */

export const mailLogQuery = (project_id: string, { kind, mailbox_id, q }: MailFilters) =>
  infiniteQueryOptions({
    queryKey: mailLogKeys.list(project_id, kind, mailbox_id, q),
    queryFn: ({ pageParam: cursor }) =>
      take(
        api.GET('/projects/{project_id}/mail-log', {
          params: {
            path: { project_id },
            query: {
              cursor,
              page_size: 50,
              count: false,
              ...(kind && { outcome: Object.keys(outcomeTexts[kind]) as MailOutcome[] }),
              ...(mailbox_id && { mailbox_id }),
              ...(q && { q }),
            },
          },
        }),
      ),
    ...byCursor,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) =>
      pollWhile(data?.pages.some(({ items }) => items.some(({ state }) => state === 'stored'))),
    throwOnError: unlessShown,
  })

interface Place {
  project_id: string
  mail_id: string
}

export const mailPath = '/projects/{project_id}/mail-log/{mail_id}'

export const loggedMailQuery = (path: Place) =>
  queryOptions({
    queryKey: mailLogKeys.mail(path.project_id, path.mail_id),
    queryFn: () => take(api.GET(mailPath, { params: { path } })),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => pollWhile(data?.state === 'stored'),
    throwOnError: unlessShown,
  })

export const rawMailUrl = ({ project_id, mail_id }: Place): string =>
  `/api/dashboard/projects/${project_id}/mail-log/${mail_id}/raw`
