import { black, defaultColor, parseColor, printColor, white, withContrast } from '../text/color.ts'
import { escapeHtml } from '../text/markdown.ts'
import { fillPlaceholders, type LocalTexts } from '../text/texts.ts'

/** The texts of a mail. `{name}` is replaced with the value of that name. */
export interface MailTexts {
  /** By default, the title. */
  subject?: string
  title: string
  paragraphs: string[]
  /** On the button. Without it, there is no button. */
  action?: string
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
  lists: MailList[]
  action: { label: string; url: string } | null
  small: string
}

/** Links under a heading. */
export interface MailList {
  title: string
  items: { label: string; url: string; about: string }[]
  /** After the links, such as how many more there are. */
  end: string | null
}

/** Dark enough for white text. */
const buttonColor = (color: string | null | undefined): string =>
  printColor(withContrast(parseColor(color ?? null), black, white))

const listText = ({ title, items, end }: MailList): string =>
  [title, ...items.map(({ label, url, about }) => `${label}\n${about}\n${url}`), ...(end ? [end] : [])].join(
    '\n\n',
  )

const writeText = ({ from, title, paragraphs, lists, action, small }: MailContent): string =>
  [
    title,
    ...paragraphs,
    ...lists.map(listText),
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    small,
    `-- \n${from}`,
  ]
    .join('\n\n')
    .concat('\n')

const paragraph = (text: string, style = ''): string =>
  `<p style="margin:0 0 16px;${style}">${escapeHtml(text)}</p>`

const listItem = ({ label, url, about }: MailList['items'][number]): string =>
  `<li style="margin:0 0 12px"><a href="${escapeHtml(url)}" style="color:#1f2329">${escapeHtml(label)}</a><br><span style="font-size:13px;color:#5c6370">${escapeHtml(about)}</span></li>`

const listHtml = ({ title, items, end }: MailList): string =>
  `<h2 style="margin:24px 0 12px;font-size:16px">${escapeHtml(title)}</h2>
<ul style="margin:0 0 16px;padding:0;list-style:none">${items.map(listItem).join('\n')}</ul>
${end ? paragraph(end, 'color:#5c6370') : ''}`

const writeButton = ({ label, url }: { label: string; url: string }, color?: string | null): string =>
  `<p style="margin:24px 0"><a href="${escapeHtml(url)}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:${buttonColor(color)};color:#fff;text-decoration:none">${escapeHtml(label)}</a></p>
${paragraph(url, 'font-size:13px;word-break:break-all')}`

/** Styles are inline, because many mail programs support no others. */
const writeHtml = ({
  language,
  from,
  color,
  title,
  paragraphs,
  lists,
  action,
  small,
}: MailContent): string => `<!doctype html>
<html lang="${language.locale}" dir="${language.direction}"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>
<body style="margin:0;padding:24px;background:#f4f5f7;color:#1f2329;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:520px;margin:0 auto;padding:32px;background:#fff;border-radius:8px;border-top:4px solid ${color ?? defaultColor}">
${paragraph(from, 'color:#5c6370')}
<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3">${escapeHtml(title)}</h1>
${paragraphs.map(text => paragraph(text)).join('\n')}
${lists.map(listHtml).join('\n')}
${action ? writeButton(action, color) : ''}
${paragraph(small, 'margin:0;font-size:13px;color:#5c6370')}
</div></body></html>
`

/** What a mail is made of besides its texts. */
interface Letter extends Pick<MailContent, 'language' | 'from' | 'color'> {
  values: Record<string, string>
  /** After the paragraphs; none by default. Nothing is replaced in them. */
  lists?: MailList[]
  /** Where the button leads. */
  url?: string
}

export function renderMail(
  texts: MailTexts,
  { values, url, lists = [], ...letter }: Letter,
): { subject: string; text: string; html: string } {
  const fill = (text: string): string => fillPlaceholders(text, values)
  const content: MailContent = {
    ...letter,
    lists,
    title: fill(texts.title),
    paragraphs: texts.paragraphs.map(fill),
    action: texts.action && url ? { label: texts.action, url } : null,
    small: fill(texts.small),
  }
  return {
    subject: fill(texts.subject ?? texts.title),
    text: writeText(content),
    html: writeHtml(content),
  }
}
