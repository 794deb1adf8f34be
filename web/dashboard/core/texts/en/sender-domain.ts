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
  advice: {
    spf_ok: () => 'Your provider is allowed to send for this domain.',
    spf_found: () =>
      'The domain has an SPF record. Make sure that it contains the server that sends your replies.',
    spf_missing: ({ domain, include }) =>
      `Nobody is named as allowed to send for ${domain}. Add a TXT record to ${domain}: v=spf1 include:${include} ~all`,
    spf_missing_server: ({ domain }) =>
      `Nobody is named as allowed to send for ${domain}. Add a TXT record to ${domain} that names your mail server, such as v=spf1 mx ~all`,
    spf_several: ({ domain }) =>
      `${domain} has more than one SPF record, so none of them counts. Combine them into one.`,
    spf_without_provider: ({ include }) =>
      `The SPF record does not name your provider directly. Add include:${include} to it, unless another part of it already covers the provider.`,
    dkim_ok: ({ selector }) => `The key of your provider is published (${selector}).`,
    dkim_missing: ({ domain }) =>
      `No key of your provider was found for ${domain}. Turn on DKIM in its admin settings, and publish the records that it shows you.`,
    dkim_by_server: () =>
      'Your mail server signs the emails, and Deskbell does not know the name of its key. Check in its settings that DKIM is turned on for the domain.',
    dmarc_ok: ({ policy }) => `Recipients know what to do with forged emails (policy ${policy}).`,
    dmarc_monitors: () =>
      'The policy is “none”, so forged emails are still delivered. If SPF and DKIM work, change it to p=quarantine.',
    dmarc_missing: ({ domain }) =>
      `Large providers such as Gmail expect a DMARC record. Add a TXT record to _dmarc.${domain}: v=DMARC1; p=none`,
    dmarc_several: ({ domain }) =>
      `_dmarc.${domain} has more than one DMARC record, so none of them counts. Keep one.`,
    look_up_failed: ({ name }) => `The records of ${name} can’t be looked up right now. Try again later.`,
  } as Record<string, (values: Values) => string>,
}
