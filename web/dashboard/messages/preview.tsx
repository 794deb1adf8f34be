import MarkdownIt from 'markdown-it'
import { text } from '../core/text.ts'
import classes from './composer.module.css'
import { Html } from './html.tsx'

// Renders like the server. Typed HTML tags are shown as text.
const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true })

/** Above this length, the server shows the plain text. */
const maxMarkdownLength = 16 * 1024

export default function MessagePreview({ content }: { content: string }) {
  return (
    <section className={classes.preview} aria-label={text.composer.preview}>
      {content.trim() === '' ? (
        text.composer.previewNone
      ) : content.length > maxMarkdownLength ? (
        <p className={classes.asTyped}>{content}</p>
      ) : (
        <Html html={markdown.render(content)} />
      )}
    </section>
  )
}
