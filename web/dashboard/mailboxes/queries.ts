import { queryOptions } from '@tanstack/react-query'
import type { ShownVersion } from '../channels/shown-version.ts'
import type { Shape } from '../core/answers.ts'
import { api, take } from '../core/api.ts'
import { unlessShown } from '../core/query.ts'
import { mailboxKeys } from './query-keys.ts'

export type Mailbox = Shape<'MailboxSettings'>
export type MailboxImap = Shape<'MailboxImap'>
export type DetectedServer = Shape<'DetectedServer'>
export type NewMailbox = Shape<'NewMailbox'>
export type MailboxTrial = Shape<'MailboxTrial'>
export type MailboxChange = Shape<'MailboxChange'>
export type SenderRecord = Shape<'SenderDomainRecord'>
export type AutomaticDefaults = Shape<'AutomaticDefaults'>
export type BegunSignIn = Shape<'BegunMailboxSignIn'>
export type SignInReturn = Shape<'MailboxSignInReturn'>
export type SignInResult = Shape<'MailboxSignInResult'>

export const mailboxPath = '/projects/{project_id}/mailboxes/{mailbox_id}'

/** Fetching changes mailboxes without an event. */
const pollIntervalMs = 5_000

export const mailboxesQuery = (project_id: string) =>
  queryOptions({
    queryKey: mailboxKeys.all(project_id),
    queryFn: async () =>
      (await take(api.GET('/projects/{project_id}/mailboxes', { params: { path: { project_id } } }))).items,
    refetchInterval: pollIntervalMs,
    throwOnError: unlessShown,
  })

/** The servers of an address. */
export const detectedQuery = (project_id: string, address: string) =>
  queryOptions({
    queryKey: mailboxKeys.detected(project_id, address),
    queryFn: () =>
      take(
        api.POST('/projects/{project_id}/mailboxes/detect', {
          params: { path: { project_id } },
          body: { address },
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
  })

interface Place {
  project_id: string
  mailbox_id: string
}

export const mailboxQuery = (path: Place) =>
  queryOptions({
    queryKey: mailboxKeys.mailbox(path),
    queryFn: () => take(api.GET(mailboxPath, { params: { path } })),
    refetchInterval: pollIntervalMs,
    throwOnError: unlessShown,
  })

/** Deskbell's own texts for automatic emails. */
export const automaticTextsQuery = (project_id: string) =>
  queryOptions({
    queryKey: mailboxKeys.automaticTexts(project_id),
    queryFn: () =>
      take(api.GET('/projects/{project_id}/mailboxes/automatic-texts', { params: { path: { project_id } } })),
    throwOnError: unlessShown,
  })

/** Whether the mailbox can be tested with an email to itself. */
export const sendsToItself = ({ sending, incoming }: Mailbox): boolean =>
  sending !== 'none' && incoming !== 'none'

/** The result of a mailbox's test email. Polled, because its arrival emits no event. */
export const probeQuery = (path: Place) =>
  queryOptions({
    queryKey: mailboxKeys.probe(path),
    queryFn: () => take(api.GET(`${mailboxPath}/probe`, { params: { path } })),
    refetchInterval: ({ state: { data } }) => (data?.probe?.state === 'ended' ? pollIntervalMs : 2_000),
  })

export const dkimQuery = (path: Place) =>
  queryOptions({
    queryKey: mailboxKeys.signingKeys(path),
    queryFn: () => take(api.GET(`${mailboxPath}/dkim`, { params: { path } })),
  })

/** The newest email that arrived after the mailbox was added. */
export const arrivedMailQuery = ({ project_id, mailbox_id }: Place) =>
  queryOptions({
    queryKey: mailboxKeys.arrived({ project_id, mailbox_id }),
    queryFn: async () => {
      const query = { mailbox_id, limit: 10, count: false }
      const params = { path: { project_id }, query }
      const { items } = await take(api.GET('/projects/{project_id}/mail-log', { params }))
      const isArrived = ({ source, state, outcome }: (typeof items)[number]) =>
        source !== 'import' && state !== 'stored' && outcome !== 'probe'
      return items.find(isArrived) ?? null
    },
    refetchInterval: ({ state }) => (state.data ? false : 2_000),
  })

export type MailboxVersion = ShownVersion<Mailbox>

/** The keys of a mailbox and of the list that it is in. */
export const mailboxKeysOf = ({ project_id, mailbox_id }: Place) => ({
  row: mailboxQuery({ project_id, mailbox_id }).queryKey,
  list: mailboxKeys.all(project_id),
})

/** Fails with SETTINGS_CHANGED if somebody else has saved since `version`. */
export const changeMailbox = (path: Place, version: MailboxVersion, body: MailboxChange): Promise<Mailbox> =>
  take(api.PATCH(mailboxPath, { params: { path }, headers: { 'if-match': `"${version.current()}"` }, body }))

export const createMailbox = (project_id: string, body: NewMailbox): Promise<Mailbox> =>
  take(api.POST('/projects/{project_id}/mailboxes', { params: { path: { project_id } }, body }))

export const tryNewMailbox = (project_id: string, body: Shape<'MailboxTry'>): Promise<MailboxTrial> =>
  take(api.POST('/projects/{project_id}/mailboxes/try', { params: { path: { project_id } }, body }))

export const redirectUriQuery = (project_id: string) =>
  queryOptions({
    queryKey: mailboxKeys.redirectUri(project_id),
    queryFn: async () => {
      const params = { path: { project_id } }
      return (await take(api.GET('/projects/{project_id}/mailboxes/sign-in', { params }))).redirect_uri
    },
    staleTime: Number.POSITIVE_INFINITY,
  })

export const beginSignIn = (project_id: string, body: Shape<'NewMailboxSignIn'>): Promise<BegunSignIn> =>
  take(api.POST('/projects/{project_id}/mailboxes/sign-in', { params: { path: { project_id } }, body }))

/** Signs in again for an existing mailbox. By default, with its stored settings. */
export const beginSignInAgain = (path: Place, body: Shape<'MailboxSignInAgain'> = {}): Promise<BegunSignIn> =>
  take(api.POST(`${mailboxPath}/sign-in`, { params: { path }, body }))

export const finishSignIn = (project_id: string, body: SignInReturn): Promise<SignInResult> =>
  take(
    api.POST('/projects/{project_id}/mailboxes/finish-sign-in', { params: { path: { project_id } }, body }),
  )
