import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { bytes, type Endpoint, endpoint } from '../core/endpoint.ts'
import { BriefError } from '../core/errors.ts'
import { isId } from '../core/ids.ts'
import { pictureHeaders } from '../core/picture.ts'
import { bucketOf } from '../limits/address.ts'
import { findPicture, findUser, hasSecondFactorOrPasskey, headersOf } from '../users/users.ts'
import { acceptLink, showLink } from './accept.ts'
import type { OperatorDeps } from './deps.ts'
import { sessionOf } from './gate.ts'
import { followGroups } from './groups.ts'
import { changeMe, changePicture, showMe } from './me.ts'
import { mailExistingAccount, mailSecurityChange, startReset } from './password-resets.ts'
import { type Acceptance, acceptance, accepted, me, meChange, picture, shownLink } from './schema.ts'
import { sessionEndpoints } from './sessions.ts'
import { resetRequest, signInMethods } from './sign-in-schema.ts'

const tag = 'Account'

async function accept(
  deps: OperatorDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  input: Acceptance,
) {
  const { users, db } = deps
  const headers = headersOf(request)
  const session = request.headers.cookie ? await users.findSession(headers) : null
  const { link, userId } = await acceptLink(deps, token, input, session?.user.id ?? null)
  await followGroups(deps, userId)
  const isJoining = session !== null && link.purpose !== 'reset'
  const user = (await findUser(db, userId))!
  if (link.purpose === 'reset') mailSecurityChange(deps, user.email, 'password_reset')
  else if (!isJoining) mailExistingAccount(deps, user.email)
  const opens = !isJoining && !(await hasSecondFactorOrPasskey(db, userId))
  if (opens) reply.header('set-cookie', await users.openSession(userId, headers))
  return { project_id: link.project_id, is_signed_in: isJoining || opens }
}

const signInEndpoints = (deps: OperatorDeps): Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/sign-in',
    tag,
    summary: 'Read how people can sign in',
    isPublic: true,
    responses: { 200: signInMethods },
    errors: [],
    run: async () => ({
      oidc_name: deps.config.oidcIssuer ? deps.config.oidcName : null,
      sends_mail: deps.mailer !== null,
      takes_passwords: deps.config.oidcOnly === 'off',
    }),
  }),
  endpoint({
    method: 'POST',
    path: '/resets',
    tag,
    summary: 'Email a password reset link',
    description: 'The response is the same whether or not the address has an account.',
    isPublic: true,
    body: resetRequest,
    responses: { 204: null },
    errors: [],
    run: async ({ body, request }) => startReset(deps, body.email, bucketOf(request.ip)),
  }),
]

const linkEndpoints = (deps: OperatorDeps): Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/links/{token}',
    tag,
    summary: 'Read what a link is for',
    isPublic: true,
    responses: { 200: shownLink },
    errors: ['LINK_NOT_FOUND', 'LINK_EXPIRED', 'LINK_USED'],
    run: ({ db, params }) => showLink(db, params.token!),
  }),
  endpoint({
    method: 'POST',
    path: '/links/{token}',
    tag,
    summary: 'Accept a link',
    description:
      'If you are signed in, you join with your account. Otherwise, a name and a password create an account and sign you in.',
    isPublic: true,
    body: acceptance,
    bodyIsOptional: true,
    responses: { 200: accepted },
    errors: [
      'LINK_NOT_FOUND',
      'LINK_EXPIRED',
      'LINK_USED',
      'SIGN_IN_FIRST',
      'OPERATOR_EXISTS',
      'PASSWORDS_OFF',
    ],
    run: ({ request, reply, params, body }) => accept(deps, request, reply, params.token!, body),
  }),
]

/** Anybody with the URL may see a picture, because contacts see it in replies. */
const pictures: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/pictures/{picture_id}',
    tag,
    summary: 'Download the picture of a person',
    isPublic: true,
    responses: { 200: bytes },
    errors: ['file_not_found'],
    async run({ db, params, reply }) {
      const found = isId(params.picture_id!) ? await findPicture(db, params.picture_id!) : null
      if (!found) throw new BriefError('file_not_found')
      reply.headers({
        ...pictureHeaders(found),
        'cache-control': 'public, max-age=31536000, immutable',
        'cross-origin-resource-policy': 'cross-origin',
      })
      return Readable.from([found.bytes])
    },
  }),
]

/** Operations that need no sign-in. */
export const openEndpoints = (deps: OperatorDeps): Endpoint[] => [
  ...signInEndpoints(deps),
  ...linkEndpoints(deps),
  ...pictures,
]

/** Operations for people who are signed in. */
export const ownEndpoints: Endpoint[] = [
  ...sessionEndpoints,
  endpoint({
    method: 'GET',
    path: '/me',
    tag,
    summary: 'Read your account and its projects',
    responses: { 200: me },
    errors: [],
    run: ({ db, request }) => showMe(db, sessionOf(request).user),
  }),
  endpoint({
    method: 'PATCH',
    path: '/me',
    tag,
    summary: 'Change your name and settings',
    body: meChange,
    responses: { 200: me },
    errors: [],
    run: ({ db, request, body }) => changeMe(db, sessionOf(request).user, body),
  }),
  endpoint({
    method: 'PUT',
    path: '/me/picture',
    tag,
    summary: 'Set your picture',
    description: 'PNG, JPEG or WebP, up to 256 KiB.',
    body: picture,
    responses: { 200: me },
    errors: ['VALIDATION_ERROR'],
    run: ({ db, request, body }) =>
      changePicture(db, sessionOf(request).user, Buffer.from(body.content, 'base64')),
  }),
  endpoint({
    method: 'DELETE',
    path: '/me/picture',
    tag,
    summary: 'Delete your picture',
    responses: { 200: me },
    errors: [],
    run: ({ db, request }) => changePicture(db, sessionOf(request).user, null),
  }),
]
