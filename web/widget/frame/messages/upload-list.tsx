import { useEffect, useState } from 'preact/hooks'
import { fill, text } from '../core/text.ts'
import { printSize } from '../core/time.ts'
import { IconButton } from '../shell/bar.tsx'
import { Icon } from '../shell/icon.tsx'
import { removeUpload, type Upload, upload, uploads } from './files.ts'

/** Shows an image before it is sent. */
function usePreview(file: File): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!/^image\/(png|jpeg|gif|webp|avif)$/.test(file.type)) return
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return url
}

function Row({ one }: { one: Upload }) {
  const preview = usePreview(one.file)
  return (
    <li class={`upload ${one.failure ? 'is-failed' : ''}`}>
      {preview ? <img src={preview} alt="" /> : <Icon name="file" />}
      <span class="upload-words">
        <span class="file-name">{one.file.name}</span>
        {one.failure ? (
          <span class="problem" role="alert">
            {one.failure}
          </span>
        ) : (
          <span class="file-size">{printSize(one.file.size)}</span>
        )}
        {!one.media && !one.failure && (
          <progress
            value={one.done}
            max={1}
            aria-label={fill(text.value.uploading, { name: one.file.name })}
          />
        )}
      </span>
      {one.failure && one.failure === text.value.fileFailed && (
        <button type="button" class="quiet" onClick={() => upload(one)}>
          {text.value.retry}
        </button>
      )}
      <IconButton
        icon="close"
        label={fill(text.value.removeFile, { name: one.file.name })}
        onClick={() => removeUpload(one.key)}
      />
    </li>
  )
}

export const UploadList = () =>
  uploads.value.length === 0 ? null : (
    <ul class="uploads">
      {uploads.value.map(one => (
        <Row key={one.key} one={one} />
      ))}
    </ul>
  )
