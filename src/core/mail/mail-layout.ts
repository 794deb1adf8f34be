import { black, defaultColor, parseColor, printColor, white, withContrast } from '../text/color.ts'
import { escapeHtml } from '../text/markdown.ts'
import { fillPlaceholders, type LocalTexts } from '../text/texts.ts'

/** The texts of a mail. `{name}` is replaced with the value of that name. */
export interface MailTexts {
  /** By default, the title. */
  subject?: string
  title: string
  paragraphs: string[]
  /** On the button. */
  action: string
  /** The small print: how long the link works, why this was sent. */
  small: string
}

/** The contents of a mail, which is sent as text and as HTML. */
interface MailContent {
  language: Pick<LocalTexts<unknown>, 'locale' | 'direction'>
  /** The sender's name: the project's name, or Deskbell. */
  from: string
  /** `#rrggbb` */
  color?: string | null
  title: string
  paragraphs: string[]
  action: { label: string; url: string }
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
const writeHtml = ({
  language,
  from,
  color,
  title,
  paragraphs,
  action,
  small,
}: MailContent): string => `<!doctype html>
<html lang="${language.locale}" dir="${language.direction}"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>
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

/** What a mail is made of besides its texts. */
interface Letter extends Pick<MailContent, 'language' | 'from' | 'color'> {
  values: Record<string, string>
  /** Where the button leads. */
  url: string
}

export function renderMail(
  texts: MailTexts,
  { values, url, ...letter }: Letter,
): { subject: string; text: string; html: string } {
  const fill = (text: string): string => fillPlaceholders(text, values)
  const content: MailContent = {
    ...letter,
    title: fill(texts.title),
    paragraphs: texts.paragraphs.map(fill),
    action: { label: texts.action, url },
    small: fill(texts.small),
  }
  return {
    subject: fill(texts.subject ?? texts.title),
    text: writeText(content),
    html: writeHtml(content),
  }
}
