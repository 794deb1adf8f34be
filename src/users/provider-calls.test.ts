import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '../core/telemetry/log.ts'
import { completeProvider, nameIn, type Provider } from './provider-calls.ts'

const deps = { config: { oidcGroups: [], oidcGroupsClaim: 'groups' }, log: createLog('silent') }

/** A provider whose responses all come from `answer`. */
function providerThat(answer: () => Promise<never>): Provider {
  const provider = { validateAuthorizationCode: answer, getUserInfo: answer } as unknown as Provider
  completeProvider(provider, deps, 20)
  return provider
}

const exchange = { code: 'code', redirectURI: 'http://localhost/' }

test('a sign-in does not wait for a provider that stops responding after the redirect', async () => {
  const provider = providerThat(() => new Promise(() => {}))
  await assert.rejects(provider.validateAuthorizationCode(exchange), /has not answered in time/)
  assert.equal(await provider.getUserInfo({}), null)
})

test('if the userinfo endpoint cannot be reached, the profile is null', async () => {
  const provider = providerThat(() => Promise.reject(new Error('fetch failed')))
  assert.equal(await provider.getUserInfo({}), null)
})

test('a name from the provider is turned into a valid name', () => {
  const [email, preferred_username] = ['nina@example.com', 'nlee']
  const sent = [' Nina\r\nLee ', ' \0 ', undefined, 'x'.repeat(300)]
  const names = sent.map(name => nameIn({ name, preferred_username, email }))
  assert.deepEqual(names, ['Nina Lee', 'nlee', 'nlee', 'x'.repeat(255)])
  assert.equal(nameIn({ name: '', email }), 'nina')
})
