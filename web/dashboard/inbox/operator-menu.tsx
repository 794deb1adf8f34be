import { QuestionMarkCircleIcon } from '@heroicons/react/20/solid'
import { ActionIcon, Menu } from '@mantine/core'
import { text } from '../core/text.ts'

/** The menu of search operators. */
export default function OperatorMenu({ onChoose }: { onChoose(operator: string): void }) {
  return (
    <Menu position="bottom-end" width={290} withinPortal={false}>
      <Menu.Target>
        <ActionIcon
          size={24}
          variant="subtle"
          color="gray"
          aria-label={text.inbox.operators}
          title={text.inbox.operators}
        >
          <QuestionMarkCircleIcon width={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {Object.entries(text.inbox.operator).map(([operator, about]) => (
          <Menu.Item
            key={operator}
            leftSection={
              <code dir="ltr" style={{ display: 'inline-block', minWidth: '4.75rem' }}>
                {operator}
              </code>
            }
            onClick={() => onChoose(operator)}
          >
            {about}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
