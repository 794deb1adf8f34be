import { DocumentIcon } from '@heroicons/react/20/solid'
import { text } from '../core/text.ts'
import { printSize } from './attachments.ts'
import classes from './media.module.css'
import { openPictureFrom } from './open-picture.ts'
import type { Message } from './queries.ts'

type File = Message['media'][number]

const maxSizePx = 320

/** Images are shown; all other files can be downloaded. */
export function MessageMedia({ media, projectId }: { media: File[]; projectId: string }) {
  if (media.length === 0) return null
  return (
    <ul className={classes.media}>
      {media.map(file => (
        <li key={file.id}>
          {file.kind === 'image' ? (
            <Picture file={file} projectId={projectId} />
          ) : (
            <Other file={file} projectId={projectId} />
          )}
        </li>
      ))}
    </ul>
  )
}

export const addressOf = (projectId: string, id: string, end = ''): string =>
  `/api/dashboard/projects/${projectId}/media/${id}${end}`

/** With a modifier key, the browser opens the file, for example in a new tab. */
function enlarge(event: React.MouseEvent<HTMLElement>, id: string): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return
  event.preventDefault()
  openPictureFrom(event.currentTarget, id)
}

/** Reserves the space of the image, so that nothing jumps when it has loaded. */
function Picture({ file, projectId }: { file: File; projectId: string }) {
  const { width, height } = file
  const scale = width && height ? Math.min(1, maxSizePx / Math.max(width, height)) : 1
  return (
    <a
      href={addressOf(projectId, file.id, '?inline=true')}
      target="_blank"
      rel="noopener"
      onClick={event => enlarge(event, file.id)}
    >
      <img
        className={classes.picture}
        src={addressOf(projectId, file.id, file.thumb_url ? '/thumb' : '?inline=true')}
        alt={text.messages.image(file.filename)}
        title={file.filename}
        width={width ? Math.round(width * scale) : undefined}
        height={height ? Math.round(height * scale) : undefined}
        loading="lazy"
      />
    </a>
  )
}

/** Browsers show a PDF, in a new tab. */
const linkTo = (file: File, projectId: string) =>
  file.content_type === 'application/pdf'
    ? { href: addressOf(projectId, file.id, '?inline=true'), target: '_blank', rel: 'noopener' }
    : { href: addressOf(projectId, file.id), download: file.filename }

const Other = ({ file, projectId }: { file: File; projectId: string }) => (
  <a className={classes.file} {...linkTo(file, projectId)}>
    <span className="hidden">
      {file.content_type === 'application/pdf' ? text.pictures.openFile : text.pictures.download}
    </span>
    <DocumentIcon width={18} aria-hidden />
    <span dir="auto">{file.filename}</span>
    <small>{printSize(file.size)}</small>
  </a>
)
