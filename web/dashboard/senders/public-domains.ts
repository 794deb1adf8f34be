/** Mail services at which anyone can have an address: blocking their domain blocks many customers. */

const domains = new Set(
  `126.com 163.com aol.com fastmail.com gmail.com googlemail.com hey.com icloud.com mac.com mail.com mail.ru me.com msn.com naver.com
  proton.me protonmail.com qq.com t-online.de web.de ymail.com zoho.com`.split(/\s+/),
)

/** Services with a domain in many countries. */
const services = /^(?:gmx|hotmail|live|outlook|yahoo|yandex)(?:\.[a-z]{2,3}){1,2}$/

export const isPublicDomain = (domain: string): boolean => {
  const name = domain.trim().toLowerCase().replace(/^@/, '')
  return domains.has(name) || services.test(name)
}
