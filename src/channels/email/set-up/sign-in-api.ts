import { type Call, type Endpoint, endpoint } from '../../../core/endpoint.ts'
import type { EmailDashboardDeps } from '../dashboard.ts'
import { finishSignIn } from './finish-sign-in.ts'
import * as setUp from './set-up-schema.ts'
import { beginNewSignIn, beginSignInAgain, redirectUriOf, type SignInCaller } from './sign-in.ts'

const tag = 'E-mail'
const minRole = 'admin'

const callerOf = (
  { sessionIdOf }: EmailDashboardDeps,
  { project, actor, request }: Pick<Call, 'project' | 'actor' | 'request'>,
): SignInCaller => ({ project, actor, sessionId: sessionIdOf(request) })

const listBegin = (deps: EmailDashboardDeps): Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/mailboxes/sign-in',
    tag,
    summary: 'Get the redirect address for signing in with a provider',
    minRole,
    responses: { 200: setUp.redirectUri },
    errors: [],
    run: async ({ project }) => ({ redirect_uri: redirectUriOf(deps.config, project.id) }),
  }),
  endpoint({
    method: 'POST',
    path: '/mailboxes/sign-in',
    tag,
    summary: "Begin signing in with a new mailbox's provider",
    description:
      'Nothing is stored until the person has returned and the login has worked. The person must return in the same session within 10 minutes.',
    minRole,
    body: setUp.newSignIn,
    responses: { 200: setUp.begunSignIn },
    errors: ['VALIDATION_ERROR'],
    run: call => beginNewSignIn({ ...deps, db: call.db }, callerOf(deps, call), call.body),
  }),
  endpoint({
    method: 'POST',
    path: '/mailboxes/{mailbox_id}/sign-in',
    tag,
    summary: "Begin signing in again with a mailbox's provider",
    description:
      'Uses the stored settings and client secret, unless the request contains others. If the sign-in fails, the stored ones do not change.',
    minRole,
    body: setUp.signInAgain,
    responses: { 200: setUp.begunSignIn },
    errors: ['MAILBOX_NOT_FOUND', 'VALIDATION_ERROR'],
    run: call => {
      const { imap = {} } = call.body
      return beginSignInAgain({ ...deps, db: call.db }, callerOf(deps, call), call.params.mailbox_id!, imap)
    },
  }),
]

export const signInEndpoints = (deps: EmailDashboardDeps): Endpoint[] => [
  ...listBegin(deps),
  endpoint({
    method: 'POST',
    path: '/mailboxes/finish-sign-in',
    tag,
    summary: 'Finish signing in with a provider',
    description:
      'Exchanges the code for tokens, tests the login and stores the mailbox. Each `state` works once. Problems with the provider or the login are in `trial`.',
    minRole,
    isWaiting: true,
    body: setUp.signInReturn,
    responses: { 200: setUp.signInResult },
    errors: ['MAILBOX_SIGN_IN_NOT_FOUND', 'MAILBOX_NOT_FOUND', 'MAILBOX_EXISTS', 'VALIDATION_ERROR'],
    run: call => finishSignIn({ ...deps, db: call.db }, callerOf(deps, call), call.body),
  }),
]
