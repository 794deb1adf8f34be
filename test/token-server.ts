import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface TokenServer {
  tokenUrl: string
  introspectionUrl: string
  /** The refresh token that is valid now. */
  refreshToken: string
  /** How many access tokens were issued. */
  issued: number
  /** Seconds for which an access token is valid. */
  seconds: number
  revoke(): void
  /** Access tokens that were issued stop working; the refresh token stays. */
  revokeAccess(): void
  /** Makes a person's new connection. */
  connect(): string
}

/** The OAuth 2 server of a provider: each use of a refresh token replaces it. */
export async function startTokenServer(
  context: { after(run: () => unknown): void },
  email: string,
): Promise<TokenServer> {
  const access = new Set<string>()
  const server = createServer(async (request, response) => {
    const fields = new URLSearchParams(await text(request))
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.url === '/introspect') {
      const isActive = access.has(fields.get('token') ?? '')
      return void answer(200, isActive ? { active: true, email } : { active: false })
    }
    if (!state.refreshToken || fields.get('refresh_token') !== state.refreshToken)
      return void answer(400, { error: 'invalid_grant' })
    const access_token = randomBytes(12).toString('hex')
    access.add(access_token)
    state.issued++
    const refresh_token = state.connect()
    answer(200, { access_token, refresh_token, expires_in: state.seconds, token_type: 'Bearer' })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  context.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const state: TokenServer = {
    tokenUrl: `http://127.0.0.1:${port}/token`,
    introspectionUrl: `http://127.0.0.1:${port}/introspect`,
    refreshToken: 'first',
    issued: 0,
    seconds: 3_600,
    revoke() {
      access.clear()
      state.refreshToken = ''
    },
    revokeAccess: () => access.clear(),
    connect: () => (state.refreshToken = randomBytes(12).toString('hex')),
  }
  return state
}
