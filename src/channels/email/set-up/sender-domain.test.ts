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

/** On a busy machine, an answer may take a while. */
function openResolver(servers: string[], timeout = 10_000): Resolver {
  const dns = new Resolver({ timeout, tries: 1 })
  dns.setServers(servers)
  return dns
}

const own = { ...google, smtp: { ...google.smtp, host: 'mail.own.example' } }

test('judges SPF, DKIM and DMARC of a domain by the provider that sends for it', async t => {
  const { servers } = await startNameServer(t, zone)
  const [patient, impatient] = [openResolver(servers), openResolver(servers, 100)]
  const judge = async (domain: string, way: typeof google | typeof own = google, dns = patient) => {
    const { records } = await judgeSenderDomain({ address: `support@${domain}`, ...way }, null, dns)
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
  const silent = await judge('silent.example', google, impatient)
  assert.deepEqual(new Set(silent), new Set(['unknown look_up_failed']))
})

test('says which records to publish', async t => {
  const { servers } = await startNameServer(t, zone)
  const dns = openResolver(servers)
  const publish = async (domain: string, host: string, own: string | null = null) => {
    const way = { ...google, smtp: { ...google.smtp, host } }
    const { provider, records } = await judgeSenderDomain({ address: `support@${domain}`, ...way }, own, dns)
    return [
      provider,
      ...records.flatMap(one => one.publish.map(({ type, name, content }) => `${type} ${name} ${content}`)),
    ]
  }
  assert.deepEqual(await publish('good.example', 'smtp.gmail.com'), ['google'])
  assert.deepEqual(await publish('partly.example', 'smtp.office365.com'), [
    'microsoft',
    'TXT partly.example v=spf1 include:spf.protection.outlook.com include:spf.other.example -all',
  ])
  assert.deepEqual(await publish('bare.example', 'smtp.fastmail.com'), [
    'fastmail',
    'TXT bare.example v=spf1 include:spf.messagingengine.com ~all',
    ...[1, 2, 3].map(at => `CNAME fm${at}._domainkey.bare.example fm${at}.bare.example.dkim.fmhosted.com`),
    'TXT _dmarc.bare.example v=DMARC1; p=none',
  ])
  assert.deepEqual(await publish('bare.example', 'mail.own.example', 'deskbell-1'), [
    null,
    'TXT bare.example v=spf1 mx ~all',
    'TXT _dmarc.bare.example v=DMARC1; p=none',
  ])
})
