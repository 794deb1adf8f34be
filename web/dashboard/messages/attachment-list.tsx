import { ArrowPathIcon, PaperClipIcon, XMarkIcon } from '@heroicons/react/16/solid'
import { ActionIcon, Progress } from '@mantine/core'
import { text } from '../core/text.ts'
import { detach, mayRetryUpload, retryUpload } from './attach.ts'
import { type Attachment, printSize } from './attachments.ts'
import classes from './composer.module.css'
import type { DraftPlace } from './draft.ts'

/** The attachments of a message with their progress and errors. */
export function AttachmentList({ place, files }: { place: DraftPlace; files: Attachment[] }) {
  if (files.length === 0) return null
  return (
    <ul className={classes.files}>
      {files.map(file => (
        <FileItem key={file.key} place={place} file={file} />
      ))}
    </ul>
  )
}

function FileItem({ place, file }: { place: DraftPlace; file: Attachment }) {
  const { key, name, size, progress, media, error } = file
  return (
    <li className={classes.file} data-failed={error ? true : undefined}>
      <PaperClipIcon width={16} aria-hidden />
      <span className={classes.fileName} dir="auto">
        {name}
      </span>
      <small>{printSize(size)}</small>
      {!media && !error && (
        <Progress value={progress} w={60} aria-label={text.composer.uploading(name, progress)} />
      )}
      {error && <small role="alert">{error}</small>}
      {error && mayRetryUpload(key) && (
        <ActionIcon size="sm" aria-label={text.composer.tryUpload} onClick={() => retryUpload(place, key)}>
          <ArrowPathIcon width={14} aria-hidden />
        </ActionIcon>
      )}
      <ActionIcon size="sm" aria-label={text.composer.removeFile(name)} onClick={() => detach(place, key)}>
        <XMarkIcon width={14} aria-hidden />
      </ActionIcon>
    </li>
  )
}
