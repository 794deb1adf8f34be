import MarkdownIt from 'markdown-it'
import { text } from '../core/text.ts'
import classes from './composer.module.css'
import { Html } from './html.tsx'

// As the server renders it. Tags that are typed are shown as text.
const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true })

/** Above this the server shows a text as it is. */
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
