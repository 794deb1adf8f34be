import { Alert, Button } from '@mantine/core'
import { asFailure } from './failure.ts'
import { FailureWords } from './failure-words.tsx'
import { text } from './text.ts'

/** Shown when data could not be loaded, with a button to try again. */
export const Failed = ({ error, retry }: { error: Error; retry(): unknown }) => (
  <Alert color="red" role="alert" m="sm">
    <FailureWords failure={asFailure(error)} />
    <Button size="xs" mt="xs" variant="default" onClick={() => void retry()}>
      {text.shell.again}
    </Button>
  </Alert>
)
