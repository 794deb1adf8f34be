import { addressOf } from '../core/api.ts'
import type { Media } from '../core/records.ts'
import { fill, text } from '../core/text.ts'
import { printSize } from '../core/time.ts'
import { Icon } from '../shell/icon.tsx'

/** Files of a message: images are shown, audio and video can be played, and all others are downloaded. */

type Known = Partial<Media> & Pick<Media, 'id' | 'filename' | 'kind'>

/** Reserves the space of the image, so that nothing jumps. */
function Picture({ file }: { file: Known }) {
  return (
    <a class="picture" href={addressOf(file.url!)} target="_blank" rel="noopener">
      <img
        src={addressOf(file.thumb_url ?? file.url!)}
        alt={fill(text.value.image, { name: file.filename })}
        width={file.width ?? undefined}
        height={file.height ?? undefined}
        loading="lazy"
      />
    </a>
  )
}

const Download = ({ file }: { file: Known }) => (
  <a
    class="file"
    href={addressOf(file.url!)}
    target="_blank"
    rel="noopener"
    download={file.filename}
    aria-label={fill(text.value.download, { name: file.filename })}
  >
    <Icon name="file" />
    <span class="file-name" dir="auto">
      {file.filename}
    </span>
    {file.size !== undefined && <span class="file-size">{printSize(file.size)}</span>}
  </a>
)

// biome-ignore-start lint/a11y/useMediaCaption: it is the sender's own, and has none
const players = {
  audio: (file: Known) => <audio controls src={addressOf(file.url!)} aria-label={file.filename} />,
  video: (file: Known) => (
    <video controls preload="metadata" src={addressOf(file.url!)} aria-label={file.filename} />
  ),
}
// biome-ignore-end lint/a11y/useMediaCaption: the same

function File({ file }: { file: Known }) {
  if (!file.url) return <span class="file">{file.filename}</span>
  if (file.kind === 'image') return <Picture file={file} />
  return file.kind === 'file' ? <Download file={file} /> : players[file.kind](file)
}

export const Files = ({ files }: { files: Known[] }) =>
  files.length === 0 ? null : (
    <div class="files">
      {files.map(file => (
        <File key={file.id} file={file} />
      ))}
    </div>
  )
