type Values = Record<string, string>

/** What recipients can check about the sender of an email, and what to do about it. */
export const senderDomain = {
  title: 'Sender checks',
  about: (domain: string) =>
    `Mail servers of recipients check with these DNS records whether an email really comes from ${domain}. Without them, replies may end up in spam.`,
  kinds: { spf: 'SPF', dkim: 'DKIM', dmarc: 'DMARC' },
  statuses: { ok: 'OK', advice: 'Can be improved', missing: 'To do', unknown: 'Not checked' },
  check: 'Check the DNS records',
  checking: 'Checking the DNS records…',
  found: 'Record:',
  recordLabel: (type: string, name: string) => `${type} record for ${name}`,
  /** Where providers show the DKIM records of a domain. */
  guides: {
    google: ({ domain }) =>
      `In the Google Admin console, open Apps, Google Workspace, Gmail, Authenticate email. Generate a record for ${domain}, publish it as a TXT record for google._domainkey.${domain}, and then choose Start authentication.`,
    microsoft: ({ domain }) =>
      `In the Microsoft Defender portal, open Email & collaboration, Policies & rules, Threat policies, Email authentication settings, DKIM. Select ${domain}, publish the two CNAME records that it shows (selector1._domainkey and selector2._domainkey), and then turn on signing.`,
    fastmail: () =>
      'In Fastmail, open Settings, Domains and select the domain. Publish the three CNAME records below.',
  } as Record<string, (values: Values) => string>,
  advice: {
    spf_ok: () => 'Your provider is allowed to send for this domain.',
    spf_found: () =>
      'The domain has an SPF record. Make sure that it contains the server that sends your replies.',
    spf_missing: ({ domain }) =>
      `${domain} has no SPF record. Publish the record below, which allows your provider to send.`,
    spf_missing_server: ({ domain }) =>
      `${domain} has no SPF record. Publish the record below. It allows the servers that receive email for ${domain} to send. If another server sends, enter its address instead, such as ip4:203.0.113.7.`,
    spf_several: ({ domain }) =>
      `${domain} has more than one SPF record, so none of them counts. Combine them into one.`,
    spf_without_provider: ({ include }) =>
      `The SPF record does not include your provider directly. Add include:${include} as shown below, unless another part of the record already covers the provider.`,
    dkim_ok: ({ selector }) => `The key of your provider is published (${selector}).`,
    dkim_own: ({ selector }) => `Deskbell signs the emails, and the key is published (${selector}).`,
    dkim_missing: ({ domain }) =>
      `No key of your provider was found for ${domain}. Turn on DKIM in its admin settings, and publish the records that it shows you.`,
    dkim_by_server: () =>
      'Deskbell does not know which key your mail server signs with. Check in the server’s settings that DKIM is turned on for the domain. If the server cannot sign, create a key under “DKIM signing” below.',
    dmarc_ok: ({ policy }) => `Recipients know what to do with forged emails (policy ${policy}).`,
    dmarc_monitors: () =>
      'The policy is “none”, so forged emails are still delivered. If SPF and DKIM work, change it to p=quarantine.',
    dmarc_missing: ({ domain }) =>
      `Large providers such as Gmail expect a DMARC record for ${domain}. Publish the record below.`,
    dmarc_several: ({ domain }) =>
      `_dmarc.${domain} has more than one DMARC record, so none of them counts. Keep one.`,
    look_up_failed: ({ name }) => `The records of ${name} can’t be looked up right now. Try again later.`,
  } as Record<string, (values: Values) => string>,
}
