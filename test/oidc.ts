import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import Provider, { type Configuration } from 'oidc-provider'

/** The provider's claims about a person. The email address is also the login there. */
export interface Claims {
  email: string
  email_verified?: boolean
  name?: string
  groups?: string[]
}

/** The claims in each of the two places. */
interface Known {
  userinfo: Claims
  id_token: Partial<Claims>
}

export const clientSecret = 'the secret of Deskbell at the provider'

const signingKey = () => ({
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
  use: 'sig',
  alg: 'ES256',
})

const scope = 'openid email profile groups'

const configurationOf = (home: string, people: Map<string, Known>): Configuration => ({
  clients: [
    {
      client_id: 'deskbell',
      client_secret: clientSecret,
      token_endpoint_auth_method: 'client_secret_post',
      id_token_signed_response_alg: 'ES256',
      redirect_uris: [`${home}/api/auth/callback/oidc`],
      post_logout_redirect_uris: [`${home}/sign-in`],
    },
  ],
  jwks: { keys: [signingKey()] },
  cookies: { keys: ['a key of the tests'] },
  scopes: scope.split(' '),
  claims: { email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
  conformIdTokenClaims: false,
  ttl: { AccessToken: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
  findAccount: (_ctx, id) =>
    people.has(id)
      ? {
          accountId: id,
          claims: async use => ({ sub: id, ...people.get(id)![use === 'id_token' ? use : 'userinfo'] }),
        }
      : undefined,
  /** Grants consent without asking. */
  async loadExistingGrant({ oidc }) {
    const grant = new oidc.provider.Grant({
      clientId: oidc.client!.clientId,
      accountId: oidc.session!.accountId!,
    })
    grant.addOIDCScope(scope)
    await grant.save()
    return grant
  },
})

const page = `<!doctype html><title>Example ID</title><form method="post">
<label>Who are you? <input name="login"></label> <button>Continue</button></form>`

async function interact(provider: Provider, request: IncomingMessage, response: ServerResponse) {
  if (request.method === 'GET') return response.setHeader('content-type', 'text/html').end(page)
  const login = new URLSearchParams(await text(request)).get('login')!
  const result = login ? { login: { accountId: login } } : { error: 'access_denied' }
  await provider.interactionFinished(request, response, result)
}

/** A certified OpenID Connect provider on 127.0.0.1, for a Deskbell at this address. */
export async function startProvider(home = 'http://localhost') {
  const people = new Map<string, Known>()
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, configurationOf(home, people))
  const serve = provider.callback()
  let state: 'there' | 'silent' | 'failing' = 'there'

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (state === 'silent') return
    if (state === 'failing') return void response.writeHead(503).end()
    if (request.url!.startsWith('/interaction/')) await interact(provider, request, response)
    else await serve(request, response)
  }

  return {
    issuer,
    settings: {
      oidcIssuer: issuer,
      oidcClientId: 'deskbell',
      oidcClientSecret: clientSecret,
      oidcName: 'Example ID',
    },
    /** Creates or changes an account. The ID token has no claims about the person unless they are given. */
    know: (userinfo: Claims, id_token: Partial<Claims> = {}) =>
      void people.set(userinfo.email, { userinfo, id_token }),
    /** `silent` accepts connections and never responds. */
    be(next: typeof state) {
      state = next
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Signs in at the provider as a browser would, and returns the address that the browser is sent back to. */
export async function passProvider(address: string, login: string): Promise<URL> {
  const cookies = new Map<string, string>()
  let next = new URL(address)
  const { origin } = next
  let form: URLSearchParams | undefined
  while (next.origin === origin) {
    const cookie = [...cookies].map(pair => pair.join('=')).join('; ')
    const answer = await fetch(next, {
      redirect: 'manual',
      headers: { cookie },
      ...(form && { method: 'POST', body: form }),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const location = answer.headers.get('location')
    form = location ? undefined : new URLSearchParams({ login })
    if (location) next = new URL(location, next)
    else if (!next.pathname.startsWith('/interaction/')) throw new Error(await answer.text())
  }
  return next
}
