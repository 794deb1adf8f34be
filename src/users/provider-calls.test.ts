import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '../core/log.ts'
import { completeProvider, nameIn, type Provider } from './provider-calls.ts'

const deps = { config: { oidcGroups: [], oidcGroupsClaim: 'groups' }, log: createLog('silent') }

/** A provider whose answers all come from this. */
function providerThat(answer: () => Promise<never>): Provider {
  const provider = { validateAuthorizationCode: answer, getUserInfo: answer } as unknown as Provider
  completeProvider(provider, deps, 20)
  return provider
}

const exchange = { code: 'code', redirectURI: 'http://localhost/' }

test('a sign-in does not wait for a provider that stays silent after the redirect', async () => {
  const provider = providerThat(() => new Promise(() => {}))
  await assert.rejects(provider.validateAuthorizationCode(exchange), /has not answered in time/)
  assert.equal(await provider.getUserInfo({}), null)
})

test('a provider that cannot be reached for what it knows of a person fails the sign-in in words', async () => {
  const provider = providerThat(() => Promise.reject(new Error('fetch failed')))
  assert.equal(await provider.getUserInfo({}), null)
})

test('a name that the provider tells becomes one that people may have here', () => {
  const [email, preferred_username] = ['nina@example.com', 'nlee']
  const told = [' Nina\r\nLee ', ' \0 ', undefined, 'x'.repeat(300)]
  const names = told.map(name => nameIn({ name, preferred_username, email }))
  assert.deepEqual(names, ['Nina Lee', 'nlee', 'nlee', 'x'.repeat(255)])
  assert.equal(nameIn({ name: '', email }), 'nina')
})
