import { domainOf, foldEmail, listSpellings } from '../core/email.ts'
import { refuse } from '../core/errors.ts'

/**
 * Domains where anyone can get an address. Their users have no common organization. The list is short, because a company whose
 * own domain is on it could not be entered.
 */
const publicMailDomains = new Set([
  ...[
    '126.com',
    '139.com',
    '163.com',
    'aol.com',
    'att.net',
    'bk.ru',
    'bluewin.ch',
    'bol.com.br',
    'btinternet.com',
  ],
  ...[
    'comcast.net',
    'cox.net',
    'duck.com',
    'fastmail.com',
    'fastmail.fm',
    'free.fr',
    'freenet.de',
    'gmail.com',
  ],
  ...[
    'gmx.at',
    'gmx.ch',
    'gmx.com',
    'gmx.de',
    'gmx.net',
    'googlemail.com',
    'hey.com',
    'hotmail.co.uk',
    'hotmail.com',
  ],
  ...[
    'hotmail.de',
    'hotmail.es',
    'hotmail.fr',
    'hotmail.it',
    'icloud.com',
    'inbox.ru',
    'interia.pl',
    'laposte.net',
  ],
  ...[
    'libero.it',
    'list.ru',
    'live.co.uk',
    'live.com',
    'live.de',
    'live.fr',
    'live.nl',
    'mac.com',
    'mail.com',
    'mail.ru',
  ],
  ...[
    'mailbox.org',
    'me.com',
    'msn.com',
    'naver.com',
    'o2.pl',
    'onet.pl',
    'orange.fr',
    'outlook.com',
    'outlook.de',
  ],
  ...[
    'outlook.es',
    'outlook.fr',
    'outlook.it',
    'outlook.jp',
    'pm.me',
    'posteo.de',
    'proton.me',
    'protonmail.com',
    'qq.com',
  ],
  ...[
    'rambler.ru',
    'rediffmail.com',
    'rocketmail.com',
    'sbcglobal.net',
    'seznam.cz',
    'sfr.fr',
    'sina.com',
    'sohu.com',
  ],
  ...[
    't-online.de',
    'tuta.com',
    'tutanota.com',
    'ukr.net',
    'uol.com.br',
    'verizon.net',
    'wanadoo.fr',
    'web.de',
    'wp.pl',
  ],
  ...[
    'yahoo.ca',
    'yahoo.co.in',
    'yahoo.co.jp',
    'yahoo.co.uk',
    'yahoo.com',
    'yahoo.com.br',
    'yahoo.de',
    'yahoo.es',
  ],
  ...['yahoo.fr', 'yahoo.it', 'yandex.com', 'yandex.ru', 'yeah.net', 'ymail.com', 'zoho.com'],
])

const maxDomainLength = 253

const domainPattern = /^[\p{L}\p{M}\p{N}-]{1,63}(\.[\p{L}\p{M}\p{N}-]{1,63})+$/u

/** A domain as stored addresses have it: lower case, without Punycode. If an address is sent, its domain is used. */
export function readOrganizationDomain(sent: string, field: string): string {
  const domain = domainOf(foldEmail(`x@${domainOf(sent.trim())}`)).replace(/\.$/, '')
  if (domain.length > maxDomainLength || !domainPattern.test(domain)) throw refuse(field, 'not_a_domain')
  if (publicMailDomains.has(domain)) throw refuse(field, 'public_mail_domain', { domain })
  return domain
}

/** The spellings of a domain in stored addresses. Earlier versions stored addresses as they were sent. */
export const listDomainSpellings = (domain: string): string[] => [
  ...new Set(listSpellings(`x@${domain}`).map(domainOf)),
]
