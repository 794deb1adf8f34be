import { black, defaultColor, parseColor, printColor, white, withContrast } from './color.ts'
import { escapeHtml } from './markdown.ts'

/** The contents of a mail, which is sent as text and as HTML. */
export interface MailContent {
  /** The sender's name: the project's name, or Deskbell. */
  from: string
  /** `#rrggbb` */
  color?: string | null
  title: string
  paragraphs: string[]
  action: { label: string; url: string }
  /** The small print: how long the link works, why this was sent. */
  small: string
}

/** Dark enough for white text. */
const buttonColor = (color: string | null | undefined): string =>
  printColor(withContrast(parseColor(color ?? null), black, white))

const writeText = ({ from, title, paragraphs, action, small }: MailContent): string =>
  [title, ...paragraphs, `${action.label}:\n${action.url}`, small, `-- \n${from}`].join('\n\n').concat('\n')

const paragraph = (text: string, style = ''): string =>
  `<p style="margin:0 0 16px;${style}">${escapeHtml(text)}</p>`

/** Styles are inline, because many mail programs support no others. */
const writeHtml = ({ from, color, title, paragraphs, action, small }: MailContent): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>
<body style="margin:0;padding:24px;background:#f4f5f7;color:#1f2329;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:520px;margin:0 auto;padding:32px;background:#fff;border-radius:8px;border-top:4px solid ${color ?? defaultColor}">
${paragraph(from, 'color:#5c6370')}
<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3">${escapeHtml(title)}</h1>
${paragraphs.map(text => paragraph(text)).join('\n')}
<p style="margin:24px 0"><a href="${escapeHtml(action.url)}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:${buttonColor(color)};color:#fff;text-decoration:none">${escapeHtml(action.label)}</a></p>
${paragraph(action.url, 'font-size:13px;word-break:break-all')}
${paragraph(small, 'margin:0;font-size:13px;color:#5c6370')}
</div></body></html>
`

export const renderMail = (letter: MailContent): { text: string; html: string } => ({
  text: writeText(letter),
  html: writeHtml(letter),
})
