import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface TokenServer {
  authorizeUrl: string
  tokenUrl: string
  introspectionUrl: string
  /** The account that signs in and owns the tokens. */
  email: string
  /** The refresh token that is valid now. */
  refreshToken: string
  /** How many access tokens were issued. */
  issued: number
  /** How many times the token endpoint was called. */
  requests: number
  /** Seconds for which an access token is valid. */
  seconds: number
  /** The secret of the app `desk`; empty if it needs none. */
  secret: string
  /** Whether a sign-in gets a refresh token. */
  isOffline: boolean
  /** Answers the next token requests instead of issuing tokens. */
  refusals: { status: number; error?: string; retryAfter?: string }[]
  revoke(): void
  /** Access tokens that were issued stop working; the refresh token stays. */
  revokeAccess(): void
  /** Makes a person's new connection. */
  connect(): string
}

const makeToken = (): string => randomBytes(12).toString('hex')

const page = `<!doctype html><html lang="en"><title>Example ID</title><main><h1>Deskbell asks for access</h1>
<form method="post"><button name="answer" value="allow">Allow</button> <button name="answer" value="deny">Deny</button></form></main></html>`

/** Codes of people who have allowed access, with the parameters of their sign-in. */
type Codes = Map<string, URLSearchParams>

/** Shows a page with two buttons, and sends the person back. */
async function authorize(codes: Codes, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'GET') {
    response.setHeader('content-type', 'text/html').end(page)
    return
  }
  const asked = new URL(request.url!, 'http://localhost').searchParams
  const back = new URL(asked.get('redirect_uri')!)
  back.searchParams.set('state', asked.get('state')!)
  if (new URLSearchParams(await text(request)).get('answer') === 'allow') {
    // The code has only digits, and must not be read as a number.
    const code = `9${BigInt(`0x${randomBytes(12).toString('hex')}`)}`
    codes.set(code, asked)
    back.searchParams.set('code', code)
  } else back.searchParams.set('error', 'access_denied')
  response.writeHead(302, { location: back.href }).end()
}

/** Whether the code was issued for this request. A code works once. */
function isCodeOf(codes: Codes, fields: URLSearchParams): boolean {
  const code = fields.get('code') ?? ''
  const asked = codes.get(code)
  codes.delete(code)
  const challenge = createHash('sha256').update(fields.get('code_verifier') ?? '')
  return (
    asked?.get('redirect_uri') === fields.get('redirect_uri') &&
    asked?.get('client_id') === fields.get('client_id') &&
    asked?.get('code_challenge_method') === 'S256' &&
    asked?.get('code_challenge') === challenge.digest('base64url')
  )
}

type State = Omit<TokenServer, 'authorizeUrl' | 'tokenUrl' | 'introspectionUrl'>

/** Issues tokens. Each use of a refresh token replaces it. */
function createIssuer(email: string) {
  /** Access tokens with their accounts. */
  const access = new Map<string, string>()
  const codes: Codes = new Map()
  const state: State = {
    email,
    refreshToken: 'first',
    ...{ issued: 0, requests: 0, seconds: 3_600, secret: '', isOffline: true, refusals: [] },
    revoke() {
      access.clear()
      state.refreshToken = ''
    },
    revokeAccess: () => access.clear(),
    connect: () => (state.refreshToken = makeToken()),
  }

  function findError(fields: URLSearchParams): string | null {
    if ((fields.get('client_secret') ?? '') !== state.secret) return 'invalid_client'
    const isValid =
      fields.get('grant_type') === 'authorization_code'
        ? isCodeOf(codes, fields)
        : state.refreshToken && fields.get('refresh_token') === state.refreshToken
    return isValid ? null : 'invalid_grant'
  }

  function issue(isRefresh: boolean) {
    const access_token = makeToken()
    access.set(access_token, state.email)
    state.issued++
    const tokens = { access_token, expires_in: state.seconds, token_type: 'Bearer' }
    return isRefresh || state.isOffline ? { ...tokens, refresh_token: state.connect() } : tokens
  }

  return { access, codes, state, findError, issue }
}

/** The OAuth 2 server of a provider. */
export async function startTokenServer(
  context: { after(run: () => unknown): void },
  email: string,
): Promise<TokenServer> {
  const { access, codes, state, findError, issue } = createIssuer(email)
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  context.after(() => server.close())
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(state, {
    authorizeUrl: `${base}/authorize`,
    tokenUrl: `${base}/token`,
    introspectionUrl: `${base}/introspect`,
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url!.startsWith('/authorize')) return authorize(codes, request, response)
    const fields = new URLSearchParams(await text(request))
    const send = (status: number, body: object, headers = {}) =>
      void response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(body))
    if (request.url === '/introspect') {
      const owner = access.get(fields.get('token') ?? '')
      return send(200, owner ? { active: true, email: owner } : { active: false })
    }
    state.requests++
    const refusal = state.refusals.shift()
    if (refusal)
      return send(
        refusal.status,
        { error: refusal.error },
        refusal.retryAfter && { 'retry-after': refusal.retryAfter },
      )
    const error = findError(fields)
    if (error) return send(400, { error })
    send(200, issue(fields.get('grant_type') === 'refresh_token'))
  }
}

/** Fills in the provider's page like a person, and returns the parameters that the provider adds to the address of Deskbell's page. */
export async function passConsent(authorizeUrl: string, given: 'allow' | 'deny' = 'allow') {
  const body = new URLSearchParams({ answer: given })
  const { headers } = await fetch(authorizeUrl, { method: 'POST', body, redirect: 'manual' })
  const back = new URL(headers.get('location')!)
  return { page: back.origin + back.pathname, ...Object.fromEntries(back.searchParams) } as {
    page: string
    state: string
    code?: string
    error?: string
  }
}
