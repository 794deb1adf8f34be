import { Paper, Text } from '@mantine/core'
import { text } from '../core/text.ts'
import classes from './composer.module.css'
import type { Suggesting } from './suggesting.ts'

/** The completions above the text; the text field keeps the focus and the keys. */
export function Suggestions({ suggesting }: { suggesting: Suggesting }) {
  const { id, options, at, choose } = suggesting
  if (options.length === 0) return null
  return (
    <Paper className={classes.suggestions} shadow="md" withBorder>
      <div id={id} role="listbox" aria-label={text.composer.mention}>
        {options.map((option, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the text field keeps the focus, and names the active one
          // biome-ignore lint/a11y/useKeyWithClickEvents: the text field takes the keys
          <div
            key={option.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            className={classes.suggestion}
            onMouseDown={event => event.preventDefault()}
            onClick={() => choose(option)}
          >
            <Text size="sm" fw={550} truncate>
              {option.label}
            </Text>
            <Text size="xs" c="dimmed" truncate>
              {option.about}
            </Text>
          </div>
        ))}
      </div>
    </Paper>
  )
}
