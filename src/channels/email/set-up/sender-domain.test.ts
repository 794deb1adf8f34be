import assert from 'node:assert/strict'
import { Resolver } from 'node:dns/promises'
import { test } from 'node:test'
import { startNameServer, type Zone } from '../../../../test/name-server.ts'
import { judgeSenderDomain } from './sender-domain.ts'

/** What the DNS records of a domain say about email that a mailbox sends. */

const texts: Record<string, string> = {
  'good.example': 'v=spf1 include:_spf.google.com ~all',
  'google._domainkey.good.example': 'v=DKIM1; k=rsa; p=MIIBIjANBgkq',
  '_dmarc.good.example': 'v=DMARC1; p=quarantine; rua=mailto:dmarc@good.example',
  'partly.example': 'v=spf1 include:spf.other.example -all',
  '_dmarc.partly.example': 'v=DMARC1; p=none',
  '_dmarc.parent.example': 'v=DMARC1; p=reject',
}
const zone: Zone = name => {
  if (name.endsWith('silent.example')) return 'silent'
  return texts[name] === undefined ? undefined : { ips: [], ttl: 60, text: texts[name] }
}
const google = {
  sending: 'smtp',
  smtp: { host: 'smtp.gmail.com', port: 465, security: 'tls', user: '', auth: 'imap' },
} as const
const own = { ...google, smtp: { ...google.smtp, host: 'mail.own.example' } }

test('judges SPF, DKIM and DMARC of a domain by the provider that sends for it', async t => {
  const { servers } = await startNameServer(t, zone)
  const dns = new Resolver({ timeout: 100, tries: 1 })
  dns.setServers(servers)
  const judge = async (domain: string, way: typeof google | typeof own = google) => {
    const { records } = await judgeSenderDomain({ address: `support@${domain}`, ...way }, dns)
    return records.map(({ status, code }) => `${status} ${code}`)
  }
  assert.deepEqual(await judge('good.example'), ['ok spf_ok', 'ok dkim_ok', 'ok dmarc_ok'])
  assert.deepEqual(await judge('partly.example'), [
    'advice spf_without_provider',
    'missing dkim_missing',
    'advice dmarc_monitors',
  ])
  assert.deepEqual(await judge('desk.parent.example', own), [
    'missing spf_missing_server',
    'unknown dkim_by_server',
    'ok dmarc_ok',
  ])
  assert.deepEqual(await judge('bare.example'), [
    'missing spf_missing',
    'missing dkim_missing',
    'missing dmarc_missing',
  ])
  assert.deepEqual(new Set(await judge('silent.example')), new Set(['unknown look_up_failed']))
})
