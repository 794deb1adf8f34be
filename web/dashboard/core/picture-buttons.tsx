import { Button, FileButton } from '@mantine/core'

interface Props {
  words: { choose: string; remove: string }
  /** The types of files that can be chosen. */
  accept?: string
  onChoose(file: File): void
  isChoosing?: boolean
  /** Absent while there is no picture. */
  onRemove?(): void
  isRemoving?: boolean
}

/** Buttons that choose a picture from the device and remove it. */
export const PictureButtons = ({
  words,
  accept = 'image/*',
  onChoose,
  isChoosing,
  onRemove,
  isRemoving,
}: Props) => (
  <>
    <FileButton
      accept={accept}
      onChange={file => file && onChoose(file)}
      inputProps={{ 'aria-label': words.choose }}
    >
      {props => (
        <Button variant="default" loading={isChoosing} {...props}>
          {words.choose}
        </Button>
      )}
    </FileButton>
    {onRemove && (
      <Button variant="subtle" color="red" loading={isRemoving} onClick={onRemove}>
        {words.remove}
      </Button>
    )}
  </>
)
