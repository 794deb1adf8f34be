import { Alert } from '@mantine/core'
import { Isolated } from '../core/isolate.tsx'

/** Says above the editor why a reply must wait or cannot be sent. */
export const ReplyWarning = ({ words }: { words: string }) => (
  <Alert color="yellow" role="status" p={6} mb={6}>
    <span dir="auto">
      <Isolated words={words} />
    </span>
  </Alert>
)
