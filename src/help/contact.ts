import type { Db } from '../core/db/db.ts'
import { type Html, html } from './html.ts'
import type { Visit } from './page.ts'
import { type ContactWays, findContactWays } from './queries.ts'

/** What the reader has seen. */
interface Seen {
  id: string
  title: string
}

/** A link, because the pages have no scripts. The chat names the article in the new ticket. */
function linkTo(
  { has_chat, email }: ContactWays,
  { centre, locale, wording }: Visit,
  seen: Seen | null,
): Html | null {
  const { texts } = wording
  if (has_chat) {
    const query = new URLSearchParams({ locale, ...(seen && { article: seen.id }) })
    return html`<a class="action" href="/chat/${centre.id}?${query.toString()}">${texts.chatWithUs}</a>`
  }
  const subject = seen ? `?subject=${encodeURIComponent(seen.title)}` : ''
  return email === null
    ? null
    : html`<a class="action" href="mailto:${encodeURIComponent(email).replace('%40', '@')}${subject}">${texts.emailUs}</a>`
}

/** Leads to the chat of the project, or to its email address; null if it has neither. */
export async function showContact(db: Db, visit: Visit, seen: Seen | null = null): Promise<Html | null> {
  const link = linkTo(await findContactWays(db, visit.centre.id), visit, seen)
  return (
    link &&
    html`<section class="feedback contact" aria-labelledby="_contact"><h2 id="_contact">${visit.wording.texts.stillNeedHelp}</h2>
${link}</section>`
  )
}
