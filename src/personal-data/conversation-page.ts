import { entryName } from '../exports/exports.ts'
import type { PageMessage, TicketToExport } from './export-queries.ts'

/** Pages of an export that people can read. Their policy forbids everything that is not in the export. */

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, sign => escapes[sign]!)

const style =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}' +
  'article{border-top:1px solid #ccc;padding:.75rem 0}article.note{background:#fff7d6;padding:.75rem}' +
  'header{color:#555;font-size:.875rem}.text{overflow-wrap:anywhere}pre{white-space:pre-wrap;font:inherit;margin:0}'

export const printHead = (title: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title>` +
  `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self'; style-src 'unsafe-inline'">` +
  `<style>${style}</style></head><body><h1>${escaped(title)}</h1>\n`

export const pageEnd = '</body></html>\n'

export const ticketPageName = ({ number }: TicketToExport): string => `tickets/${number}.html`

export const printTicketLink = (ticket: TicketToExport): string =>
  `<p><a href="${ticketPageName(ticket)}">#${ticket.number} ${escaped(ticket.subject)}</a> ${ticket.created_at} UTC</p>\n`

const printFile = (file: PageMessage['files'][number]): string =>
  `<p><a href="../${escaped(encodeURI(entryName(file)))}">${escaped(file.filename)}</a></p>`

export function printPageMessage(message: PageMessage): string {
  const { sender_type, sender_name, content, content_html, is_internal, created_at, files } = message
  const head = [sender_name ?? sender_type, `${created_at} UTC`, ...(is_internal ? ['internal note'] : [])]
  return (
    `<article${is_internal ? ' class="note"' : ''}><header>${head.map(escaped).join(' · ')}</header>` +
    `<div class="text">${content_html ?? `<pre>${escaped(content)}</pre>`}</div>${files.map(printFile).join('')}</article>\n`
  )
}
