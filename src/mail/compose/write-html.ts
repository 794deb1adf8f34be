import { domainOf } from '../../core/email.ts'
import { black, parseColor, printColor, white, withContrast } from '../../core/text/color.ts'
import { escapeHtml } from '../../core/text/markdown.ts'
import { htmlOfPlain, prepareHtml } from './mail-html.ts'
import { describeAuthor, describeLink, listForwardedHead } from './mail-lines.ts'
import type { ForwardedMessage, OutgoingEmail, OutgoingLink, QuotedMessage } from './outgoing-email.ts'
import { composeTextsOf } from './texts/texts.ts'

type Parts = Pick<
  OutgoingEmail,
  'content' | 'links' | 'signature' | 'history' | 'forwarded' | 'language' | 'color' | 'files' | 'from'
>

function writeLink(link: OutgoingLink, { language, color }: Parts): string {
  const style = `color:${printColor(withContrast(parseColor(color), black, white))}`
  const label = escapeHtml(describeLink(link, composeTextsOf(language)))
  return `<p dir="auto" style="margin:0 0 12px"><a href="${escapeHtml(link.url)}" style="${style}">${label}</a></p>`
}

/** The classes are those of Gmail. Gmail and other programs collapse such quotes. */
function quoteMessage(message: QuotedMessage, { files, ...email }: Parts): string {
  const { locale, direction, texts } = describeAuthor(message)
  const html = message.html === null ? htmlOfPlain(message.text) : message.html
  const images = { files, domain: domainOf(email.from.address), keepsRemote: false }
  return `<div class="gmail_quote" style="margin-top:24px">
<div class="gmail_attr" lang="${locale}" dir="${direction}">${escapeHtml(texts)}</div>
<blockquote type="cite" class="gmail_quote" style="margin:8px 0 0;padding:0 12px;border-left:2px solid #c9ced6">
${prepareHtml(html, images)}
</blockquote>
</div>`
}

function writeForwarded(forwarded: ForwardedMessage, { files, language, ...email }: Parts): string {
  const { locale, direction, texts } = composeTextsOf(language)
  const head = listForwardedHead(forwarded, { locale, direction, texts }).map(escapeHtml)
  const html = forwarded.html === null ? htmlOfPlain(forwarded.text) : forwarded.html
  const images = { files, domain: domainOf(email.from.address), keepsRemote: false }
  return `<div class="gmail_quote" style="margin-top:24px">
<div class="gmail_attr" lang="${locale}" dir="${direction}" style="margin-bottom:12px">${head.join('<br>')}</div>
${prepareHtml(html, images)}
</div>`
}

/** Styles are inline and few, as in emails that people write. Texts have no colour, so that mail programs can show them on black. */
export function writeMailHtml(email: Parts): string {
  const { content, links, signature, history, forwarded, language, files } = email
  const { locale } = composeTextsOf(language)
  const images = { files, domain: domainOf(email.from.address), keepsRemote: true }
  const htmlOf = ({ text, html }: { text: string; html: string | null }): string =>
    html === null ? htmlOfPlain(text) : prepareHtml(html, images)
  const line = printColor(parseColor(email.color))
  return `<!doctype html>
<html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"></head>
<body style="margin:0;padding:8px">
<div style="max-width:680px;font-family:Arial,Helvetica,sans-serif;font-size:15px;line-height:1.5">
${[
  `<div dir="auto">\n${htmlOf(content)}\n</div>`,
  ...links.map(link => writeLink(link, email)),
  ...(signature?.text.trim()
    ? [
        `<div dir="auto" style="margin-top:24px;padding-top:8px;border-top:2px solid ${line}">\n${htmlOf(signature)}\n</div>`,
      ]
    : []),
  ...history.map(message => quoteMessage(message, email)),
  ...(forwarded ? [writeForwarded(forwarded, email)] : []),
].join('\n')}
</div>
</body></html>
`
    .replaceAll('\0', '')
    .toWellFormed()
}
