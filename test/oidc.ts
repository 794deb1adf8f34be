import { generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** What the provider says of whoever signs in next. */
export interface Claims {
  sub: string
  email: string
  email_verified: boolean
  name: string
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

interface Grant {
  claims: Claims
  nonce: string | null
}

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

function idToken(issuer: string, { claims, nonce }: Grant): string {
  const now = Math.floor(Date.now() / 1_000)
  const body = { iss: issuer, aud: 'deskbell', iat: now, exp: now + 300, ...claims, ...(nonce && { nonce }) }
  const content = `${encode({ alg: 'RS256', kid: 'one' })}.${encode(body)}`
  return `${content}.${sign('sha256', Buffer.from(content), privateKey).toString('base64url')}`
}

type Page = (body: URLSearchParams) => object | null

const pagesOf = (issuer: string, codes: Map<string, Grant>): Record<string, Page> => ({
  '/.well-known/openid-configuration': () => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    id_token_signing_alg_values_supported: ['RS256'],
  }),
  '/keys': () => ({
    keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }],
  }),
  '/token': body => {
    const grant = codes.get(body.get('code') ?? '')
    return grant ? { access_token: 'secret', token_type: 'Bearer', id_token: idToken(issuer, grant) } : null
  },
})

/** An OpenID Connect provider on 127.0.0.1 that lets everybody in. */
export async function startProvider() {
  const codes = new Map<string, Grant>()
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const pages = pagesOf(issuer, codes)
  let next: Claims | null = null
  let state: string | null = null

  /** Asks nothing: whoever comes is `next`. */
  function sendBack(address: URL, response: ServerResponse): void {
    const query = new URLSearchParams(authorize(address.href, next!))
    if (state !== null) query.set('state', state)
    response.writeHead(302, { location: `${address.searchParams.get('redirect_uri')}?${query}` }).end()
  }

  function authorize(address: string, claims: Claims): string {
    const { searchParams } = new URL(address)
    const code = `code-${codes.size}`
    codes.set(code, { claims, nonce: searchParams.get('nonce') })
    return `?${new URLSearchParams({ code, state: searchParams.get('state')! })}`
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const address = new URL(request.url ?? '', issuer)
    if (address.pathname === '/authorize') return sendBack(address, response)
    const page = pages[request.url ?? '']?.(new URLSearchParams(await text(request)))
    response.writeHead(page ? 200 : 400, { 'content-type': 'application/json' })
    response.end(JSON.stringify(page ?? { error: 'invalid_grant' }))
  }

  return {
    issuer,
    /** What the browser brings back from the provider's page. */
    authorize,
    /** Who signs in when a browser comes by itself; the state that it takes back, if not its own. */
    expect(claims: Claims, forgedState: string | null = null) {
      next = claims
      state = forgedState
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
